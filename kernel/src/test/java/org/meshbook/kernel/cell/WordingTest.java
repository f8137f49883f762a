package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.jshell.Origin;

class WordingTest {
    private final Settings settings = new Settings();
    private final Wording wording = new Wording(settings);

    @Test
    void aLineIsRedWhereColoursAreOn() {
        assertThat(wording.line("UsageError", "why"))
                .isEqualTo(
                        new CellOutcome.Failed(
                                "UsageError",
                                "why",
                                List.of("\u001b[31mUsageError\u001b[0m: why")));
        settings.find("error.colours").orElseThrow().set("off");
        assertThat(wording.line("UsageError", "why").trace()).containsExactly("UsageError: why");
    }

    @Test
    void aCellThatEndsTooEarlyNamesTheBracket() {
        var code = "int a;\nf(1,\n 2";
        var failed = wording.incomplete(new Origin(3, code, "int a;\n".length()));
        assertThat(failed.name()).isEqualTo("CompileError");
        assertThat(failed.message())
                .startsWith("incomplete: '(' of line 2 is never closed (cell 3:2");
        assertThat(failed.trace()).anyMatch(line -> line.contains("f(1,"));
    }

    @Test
    void aClassThatIsMissedBringsItsImport() {
        assertThat(Wording.withImport("f waits for class CRC32"))
                .isEqualTo("f waits for class CRC32; import java.util.zip.CRC32;");
        assertThat(Wording.withImport("f waits for class Nowhere9"))
                .isEqualTo("f waits for class Nowhere9");
    }

    @Test
    void aFailureThatIsWordedStaysAsItIs() {
        var failed = new CellOutcome.Failed("E", "m", List.of("E: m"));
        var failure = new CellFailure(failed);
        assertThat(failure.failed()).isSameAs(failed);
        assertThat(failure).hasMessage("m");
    }
}
