package org.meshbook.kernel.console.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.cell.ScriptedEngine;

class TypedTest {
    private final Typed typed = new Typed(new ScriptedEngine());

    @Test
    void aCompleteCellIsAcceptedWhole() {
        var parsed = typed.parse("result 1\nput x", 3, ParseContext.ACCEPT_LINE);
        assertThat(parsed.line()).isEqualTo("result 1\nput x");
    }

    @Test
    void anIncompleteCellGoesOnAsDeepAsItsBrackets() {
        assertThatThrownBy(() -> typed.parse("if (x) {", 8, ParseContext.ACCEPT_LINE))
                .isInstanceOfSatisfying(
                        EOFError.class, e -> assertThat(e.getOpenBrackets()).isEqualTo(1));
    }

    @Test
    void oneEmptyLineBelongsToTheCellTwoEndIt() {
        assertThatThrownBy(() -> typed.parse("a\n  {", 5, ParseContext.ACCEPT_LINE))
                .isInstanceOf(EOFError.class);
        assertThat(typed.parse("{\n  \n", 5, ParseContext.ACCEPT_LINE).line()).startsWith("{");
    }

    @Test
    void whatIsCompletedIsWhatTheEngineSays() {
        // The scripted engine completes the character before the cursor.
        var parsed = (Typed.Words) typed.parse("ab", 2, ParseContext.COMPLETE);
        assertThat(parsed.word()).isEqualTo("b");
        assertThat(parsed.matches()).containsExactly("ab!");
        assertThat(parsed.rawWordLength()).isEqualTo(1);
    }
}
