package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.spi.DisplayData;

@Tag("jshell")
@Timeout(120)
class QuestionsTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
        cells.run("String known = \"k\";");
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    /// The cursor is at the end; `~` is a new line.
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    System.ou                                      | out
                    "abc".subs                                     | substring(
                    "🐎".subs                                      | substring(
                    known.subs                                     | substring(
                    var s = "a";~s.subs                            | substring(
                    int foo() { return 1; }~known.subs             | substring(
                    class A { int zed; }~new A().z                 | zed
                    record P(int aa) {}~var p = new P(1);~p.a      | aa()
                    import java.util.zip.*;~known.subs             | substring(
                    %exit~known.subs                               | substring(
                    %help~int foo() { return 1; }~known.subs       | substring(
                    if (true) {~  known.subs                       | substring(
                    List.of("a").stream().map(x -> x.subs          | substring(
                    // note~known.subs                             | substring(
                    disp                                           | display(
                    new ArrayL                                     | ArrayList(
                    %he                                            | help
                    %                                              | magics
                    %help ex                                       | exit
                    """)
    void completes(String code, String match) {
        var text = code.replace('~', '\n');
        var completion = cells.engine().complete(text, text.length());
        assertThat(completion.matches()).contains(match);
        var typed = text.substring(completion.start(), completion.end());
        assertThat(match).startsWith(typed);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1 + 1                            | complete
                    int a = 3;                       | complete
                    int a = 3                        | complete
                    for (int i = 0; i < 2; i++) { }  | complete
                    // only a comment                | complete
                    int a = 1;~int b = 2;            | complete
                    if (true) { }                    | complete
                    import java.util.*;              | complete
                    record R(int a) {}               | complete
                    void f() { return; }             | complete
                    %exit                            | complete
                    %%any                            | complete
                    for (int i = 0; i < 2; i++) {    | incomplete
                    int f(int a) {                   | incomplete
                    /* open                          | incomplete
                    String t = \"""~abc              | incomplete
                    if (true) { }~else               | incomplete
                    1 +                              | incomplete
                    f(1,                             | incomplete
                    %exit~int a =                    | incomplete
                    int x = = 3;                     | invalid
                    class {                          | invalid
                    1 +* 2                           | invalid
                    foo bar baz                      | invalid
                    "open                            | invalid
                    }                                | invalid
                    int a = 1;~int b = ;~int c = 2;  | invalid
                    """)
    void judgesCompleteness(String code, String status) {
        assertThat(cells.engine().completeness(code.replace('~', '\n')).status()).isEqualTo(status);
    }

    @Test
    void indentsByOpenBrackets() {
        assertThat(cells.engine().completeness("class A {\n    void m() {").indent())
                .isEqualTo("        ");
    }

    @ParameterizedTest(name = "{0} at {1} -> {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Math.max                           | 8  | int Math.max(int a, int b)
                    Math.max                           | 6  | int Math.max(int a, int b)
                    Math.max                           | 2  | java.lang.Math
                    Math.max(1, 2)                     | 14 | int Math.max(int a, int b)
                    Math.max(1, 2)                     | 12 | int Math.max(int a, int b)
                    known                              | 3  | String
                    %help                              | 5  | Lists the magics
                    %help~Math.max                     | 14 | int Math.max(int a, int b)
                    int foo() { return 1; }~Math.max(1 | 34 | int Math.max(int a, int b)
                    """)
    void documentsWhatIsAtTheCursor(String code, int cursor, String text) {
        var found = cells.engine().inspect(code.replace('~', '\n'), cursor, 0);

        assertThat(text(found)).contains(text);
    }

    @Test
    void documentationIsPlainText() {
        var found = cells.engine().inspect("Math.max", 8, 1);

        assertThat(text(found))
                .contains("Returns the greater of two int values")
                .doesNotContain("{@code", "<p>");
    }

    @Test
    void nothingIsKnownOfNothing() {
        assertThat(cells.engine().inspect("nosuchname", 4, 0)).isNull();
        assertThat(cells.engine().inspect("", 0, 0)).isNull();
        assertThat(cells.engine().complete("nosuchname.", 11).matches()).isEmpty();
    }

    @Test
    void questionsAreAnsweredWhileACellRuns() throws Exception {
        var output = new Recorded("");
        var runner =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> cells.run("System.out.print(1);\nwhile (true) { }", output));
        org.awaitility.Awaitility.await()
                .dontCatchUncaughtExceptions()
                .until(() -> !output.out().isEmpty());
        assertThat(cells.engine().complete("known.subs", 10).matches()).contains("substring(");
        cells.engine().interrupt();
        runner.join(30_000);
        assertThat(runner.isAlive()).isFalse();
    }

    private static String text(@Nullable DisplayData data) {
        return data == null ? "nothing" : String.valueOf(data.bundle().get("text/plain"));
    }
}
