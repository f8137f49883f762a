package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.jshell.Match;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Renderer;

@Tag("jshell")
@Timeout(120)
class MagicsTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells(new Given());
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    /// Magics that do what the tests need.
    private static final class Given implements Extension {
        @Override
        public List<Magic> magics() {
            return List.of(
                    new Made("slices", Magic.Form.LINE),
                    new Made("eval", Magic.Form.LINE_AND_CELL),
                    new Made("refuse", Magic.Form.LINE),
                    new Made("html", Magic.Form.CELL));
        }

        @Override
        public List<Renderer> renderers() {
            return List.of(
                    value ->
                            value instanceof Thread.State state
                                    ? Optional.of(DisplayData.text("state " + state.ordinal()))
                                    : Optional.empty());
        }

        @Override
        public List<String> startup() {
            return List.of("import java.util.zip.CRC32;", "import no.such.Thing;");
        }
    }

    private record Made(String name, Form form) implements Magic {
        @Override
        public String help() {
            return "Does " + name + ".\n\nflags";
        }

        @Override
        public @Nullable Object run(Call call, Cell cell) throws Exception {
            return switch (name) {
                case "slices" -> call.arguments().length();
                case "eval" ->
                        cell.evaluate(call.body().isEmpty() ? call.arguments() : call.body());
                case "refuse" -> throw new MagicException("0 slices asked; ask for 1 to 64");
                default -> call.body();
            };
        }

        @Override
        public List<String> complete(String arguments, int cursor) {
            return List.of("--devices");
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    %slices abc              | 3
                    int a = 1;~%slices ab~a  | 1
                    int b = 1;~%slices ab    | 2
                    %eval 6 * 7              | 42
                    %%eval~int q = 5;~q * 2  | 10
                    %%html~<b>~              | <b>~
                    Thread.State.NEW         | state 0
                    new CRC32().getValue()   | 0
                    %exit                    | exit
                    int c = 3;~%exit         | exit
                    """)
    void runsInOrder(String code, String result) {
        assertThat(cells.run(code.replace('~', '\n')).result())
                .isEqualTo(result.replace('~', '\n'));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    %slcies 4            | UnknownMagic: no magic named %slcies; did you mean %slices?
                    %slice               | UnknownMagic: no magic named %slice; did you mean %slices?
                    %%htm                | UnknownMagic: no magic named %%htm; did you mean %%html?
                    %zzz                 | UnknownMagic: no magic named %zzz; %magics lists all
                    %help zzz            | UsageError: no magic named %zzz; %magics lists all
                    %%slices             | UsageError: %%slices takes one line: write %slices
                    %html                | UsageError: %html takes the whole cell: write %%html in its first line
                    int d = 1;~%%html    | UsageError: %%html stands only in the first line of a cell
                    %refuse              | UsageError: 0 slices asked; ask for 1 to 64
                    %exit now            | UsageError: %exit takes no arguments, found "now"
                    """)
    void saysInOneLineWhatIsWrong(String code, String line) {
        var ran = cells.run(code.replace('~', '\n'));
        assertThat(ran.error().lines()).containsExactly(line, line);
    }

    @Test
    void helpListsEachMagicByItsFirstLine() {
        var list = cells.run("%help").output().displays.getFirst().bundle();
        assertThat(String.valueOf(list.get("text/plain")))
                .contains("%slices", "Does slices.", "%%html", "%eval %%eval", "%exit")
                .doesNotContain("flags");
        assertThat(String.valueOf(list.get("text/html"))).contains("<code>%exit</code>");
        assertThat(cells.run("%slices?").output().out()).contains("Does slices.\n\nflags");
        assertThat(cells.run("%help slices").output().out()).contains("Does slices.\n\nflags");
    }

    @Test
    void javaOfAMagicFailsAtItsPlaceInTheCell() {
        assertThat(cells.run("%%eval\nint ok = 1;\nint no = \"s\";").error())
                .containsPattern("at cell \\d+:3:10");
        assertThat(cells.run("%%eval\nint ok = 1;\nok / 0").error())
                .containsPattern("ArithmeticException[\\s\\S]*at cell \\d+:3");
    }

    @Test
    void brokenStartupCodeIsReportedByTheFirstCell() {
        try (var fresh = new Cells(new Given())) {
            assertThat(fresh.run("1").output().err()).contains("import no.such.Thing;");
            assertThat(fresh.run("1").output().err()).isEmpty();
        }
    }

    @Test
    void namesAndArgumentsOfMagicsAreCompleted() {
        assertThat(cells.engine().complete("%sl", 3))
                .isEqualTo(CellEngine.Completion.of(List.of("slices"), Match.Kind.MAGIC, 1, 3));
        assertThat(cells.engine().complete("%slices 4 --d", 13))
                .isEqualTo(
                        CellEngine.Completion.of(List.of("--devices"), Match.Kind.OTHER, 10, 13));
        assertThat(cells.engine().complete("%%h", 3).matches()).containsExactly("html");
    }
}
