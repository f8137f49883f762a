package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.cell.CellEngine.Completion;
import org.meshbook.kernel.jshell.Match;

/// What callers of the port see without an engine behind it.
class CellEngineTest {
    @Test
    void completionsGiveTheirTextsInOrder() {
        var completion = Completion.of(List.of("b", "a"), Match.Kind.MAGIC, 1, 3);
        assertThat(completion.matches()).containsExactly("b", "a");
        assertThat(completion.found()).contains(new Match("b", Match.Kind.MAGIC, ""));
    }

    @Test
    void anEngineThatIsClosedIsNotRestarted() {
        var engine = new ScriptedEngine();
        engine.restart = true;
        engine.close();
        assertThat(engine.closed.getCount()).isZero();
        assertThat(engine.restart).isFalse();
    }

    @Test
    void streamsAreNamedAsTheProtocolNamesThem() {
        assertThat(CellOutput.Stream.STDOUT.word()).isEqualTo("stdout");
        assertThat(CellOutput.Stream.STDERR.word()).isEqualTo("stderr");
    }
}
