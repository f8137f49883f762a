package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// What is said about magics: lists, explanations, and names that nobody knows.
class HelpTest {
    private final Recorded output = new Recorded();
    private final RunningCell cell = new BareHost().cell("", 1, output);
    private final Magics magics =
            new Magics(
                    List.of(
                            new Named("slices", "slices", Magic.Form.LINE),
                            new Named("html", "display", Magic.Form.CELL),
                            new Named("time", "Java", Magic.Form.LINE_AND_CELL),
                            new Named("own", "more", Magic.Form.LINE),
                            new Named("abc", "apart", Magic.Form.LINE),
                            new Named("zed", "beside", Magic.Form.LINE),
                            new ExitMagic()));

    private record Named(String name, String group, Form form) implements Magic {
        @Override
        public String help() {
            return "Does <" + name + "> & more.\n\nflags\n";
        }

        @Override
        public @Nullable Object run(Call call, Cell cell) {
            return null;
        }
    }

    private HelpMagic magic(String name) {
        return new HelpMagic(name, () -> magics);
    }

    private @Nullable Object help(String name, String arguments) {
        return magic(name).run(new Magic.Call(name, arguments, ""), cell);
    }

    private String shown(String mime) {
        return String.valueOf(output.displays.getLast().bundle().get(mime));
    }

    @Test
    void magicsAreListedInGroupsWithTheirFirstLine() {
        assertThat(help("magics", "")).isNull();
        assertThat(shown("text/plain"))
                .isEqualTo(
                        """
                        Java
                          %time %%time  Does <time> & more.

                        display
                          %%html        Does <html> & more.

                        session
                          %exit         Ends the kernel, the console or the run.

                        slices
                          %slices       Does <slices> & more.

                        apart
                          %abc          Does <abc> & more.

                        beside
                          %zed          Does <zed> & more.

                        more
                          %own          Does <own> & more.\
                        """);
    }

    @Test
    void aBrowserGetsATable() {
        help("lsmagic", "");
        assertThat(shown("text/html"))
                .startsWith(
                        "<table><tbody><tr><th colspan=\"2\" style=\"text-align:left\">Java</th></tr>"
                                + "<tr><td style=\"text-align:left\"><code>%time %%time</code></td>"
                                + "<td style=\"text-align:left\">Does &lt;time&gt; &amp; more.</td></tr>")
                .endsWith("</tbody></table>");
    }

    @Test
    void helpBeginsWithWhatACellIs() {
        help("help", "");
        assertThat(shown("text/plain")).startsWith("A cell is Java:").contains("\n\nJava\n  %time");
        assertThat(shown("text/html"))
                .startsWith("<p>A cell is Java:")
                .contains("class, a method or a variable.</p><table>");
    }

    @ParameterizedTest
    @CsvSource({"slices", "%slices", "slices?", "%%slices?"})
    void oneMagicIsExplainedHoweverItIsTyped(String typed) {
        assertThat(help("help", typed)).isNull();
        assertThat(output.out()).isEqualTo("%slices: Does <slices> & more.\n\nflags\n");
        assertThat(output.displays).isEmpty();
    }

    @Test
    void whatIsNoMagicCannotBeExplained() {
        assertThatThrownBy(() -> help("help", "slcies"))
                .isInstanceOf(MagicException.class)
                .hasMessage("no magic named %slcies; did you mean %slices?");
    }

    @Test
    void namesOfMagicsAreCompleted() {
        assertThat(magic("help").complete("", 0))
                .containsExactly("abc", "exit", "html", "own", "slices", "time", "zed");
        assertThat(magic("help").complete(" s and more", 2)).containsExactly("slices");
        assertThat(magic("help").complete("e", 9)).containsExactly("exit");
    }

    @Test
    void helpExplainsItselfByItsOwnName() {
        assertThat(magic("magics").help()).contains("%magics [MAGIC]").doesNotContain("NAME");
        assertThat(magic("help").group()).isEqualTo("help");
    }

    @ParameterizedTest(name = "{0}{1} -> {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    %  | slcies     | no magic named %slcies; did you mean %slices?
                    %% | slcies     | no magic named %%slcies; did you mean %slices?
                    %  | HTLM       | no magic named %HTLM; did you mean %%html?
                    %% | tme        | no magic named %%tme; did you mean %%time?
                    %  | tme        | no magic named %tme; did you mean %time?
                    %  | sli        | no magic named %sli; did you mean %slices?
                    %  | slicesnow  | no magic named %slicesnow; did you mean %slices?
                    %  | sl         | no magic named %sl; %magics lists all
                    %  | ow         | no magic named %ow; did you mean %own?
                    %  | abcown     | no magic named %abcown; did you mean %abc?
                    %  | xyz        | no magic named %xyz; %magics lists all
                    %  | tow        | no magic named %tow; %magics lists all
                    %  | owc        | no magic named %owc; did you mean %own?
                    %  | extit      | no magic named %extit; did you mean %exit?
                    """)
    void anUnknownNameShowsTheNearest(String percents, String name, String line) {
        assertThat(magics.unknown(percents, name)).isEqualTo(line);
    }

    @Test
    void theFirstMagicOfANameWinsUntilOneIsAdded() {
        var first = new Named("x", "a", Magic.Form.LINE);
        var second = new Named("x", "b", Magic.Form.LINE);
        var both = new Magics(List.of(first, second));
        assertThat(both.find("x")).contains(first);
        both.add(List.of(second));
        assertThat(both.find("x")).contains(second);
        assertThat(both.all()).containsExactly(second);
        assertThat(both.find("y")).isEmpty();
    }

    @Test
    void exitAsksToLeaveAndTakesNothing() {
        var exit = new ExitMagic();
        assertThatThrownBy(() -> exit.run(new Magic.Call("exit", "", ""), cell))
                .isInstanceOf(ExitMagic.Asked.class)
                .hasMessage("the cell asked the kernel to leave");
        assertThatThrownBy(() -> exit.run(new Magic.Call("exit", "now", ""), cell))
                .isNotInstanceOf(ExitMagic.Asked.class)
                .hasMessage("%exit takes no arguments, found \"now\"");
    }
}
