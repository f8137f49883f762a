package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("jshell")
@Timeout(120)
class FailuresTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
        cells.run("int counter = 3; String greeting = \"hi\";");
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    /// A `~` is a new line.
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    countre + 1                      | did you mean counter?
                    greeting.lenght()                | did you mean length?
                    System.out.prinln(1);            | did you mean println?
                    Lisst<String> l1 = null;         | did you mean List?
                    Connection c1 = null;            | import java.sql.Connection;
                    import java.utl.List;            | did you mean java.util?
                    import java.util.Lisst;          | did you mean List?
                    import org.nobody.Thing;         | %maven adds a library that has it
                    println("a")                     | IO.println(...) or System.out.println(...)
                    int x1 = 5~int y1 = 6;           | this line needs a ; at its end
                    int x2 = 3~%exit                 | a magic stands only after a finished statement
                    String s1 = “hello”;             | U+201C LEFT DOUBLE QUOTATION MARK
                    int\u00a0x3 = 4;                 | U+00A0 NO-BREAK SPACE
                    int d1 = 5 – 3;                  | U+2013 EN DASH: Java wants -
                    int 🐎 = 1;                      | U+1F40E HORSE cannot stand here
                    String s2 = 'abc';               | text stands between double quotes
                    int i1 = 3.5;                    | (int) before the value
                    List<int> l2;                    | write Integer
                    int i2 = 99999999999;            | a long ends with L
                    void m1() { Thread.sleep(1); }   | throws Exception
                    switch (3) { case Integer i when i > 2 -> 1; } | preview features
                    System.console().readLine()      | IO.readln
                    Class.forName("org.nope.Foo")    | %maven
                    """)
    void hintsAtWhatMayHelp(String code, String hint) {
        assertThat(cells.run(code.replace('~', '\n')).error())
                .containsPattern("(?m)^hint: .*" + java.util.regex.Pattern.quote(hint));
    }

    /// What follows the headline.
    static Stream<Arguments> places() {
        return Stream.of(
                fails(
                        "the name and not its dot is marked",
                        "    \"abc\"\\.lenght\\(\\)\n          \\^{6}\n",
                        "\"abc\".lenght()"),
                fails(
                        "a tab stays one",
                        "    \tint t1 = \"x\";\n    \t         \\^\\^\\^",
                        "\tint t1 = \"x\";"),
                fails(
                        "columns are counted in characters",
                        ":1:28\n",
                        "String h1 = \"🐎🐎\"; int z1 = h1;"),
                fails(
                        "a long line is shown around the place",
                        "    ... .*int w9 = \"no\".* ...\n +\\^",
                        "int v9 = "
                                + "1 + ".repeat(100)
                                + "1; int w9 = \"no\"; int u9 = "
                                + "1 + ".repeat(100)
                                + "1;"),
                fails(
                        "Windows line ends",
                        "cell \\d+:2:10\n    int k1 = \"x\";\n",
                        "int j1 = 1;\r\nint k1 = \"x\";\r\n"),
                fails(
                        "several errors",
                        "(?s)incompatible types.*cannot find symbol; symbol: method"
                                + " undefined1\\(\\).*cannot find symbol; symbol: class Strin",
                        "class A9 { void m() { int i = \"x\"; undefined1(); Strin s; } }"),
                fails(
                        "alternatives, a line each",
                        "no suitable method found for max\\(String,int\\)\n"
                                + "      method Math.max\\(int,int\\) is not applicable .*\n"
                                + "      method",
                        "Math.max(\"a\", 2)"),
                fails(
                        "the bracket that stays open",
                        "incomplete: '\\(' of line 2 is never closed\n"
                                + "    at cell \\d+:2:4\n"
                                + "    foo\\(1,\n"
                                + "       \\^",
                        "int b1 = 1;\nfoo(1,"),
                fails(
                        "what follows from an error is left out",
                        "unreachable statement(?!.*missing return)",
                        "while (false) { int i = 1; }"),
                fails(
                        "a message of several lines",
                        "RuntimeException: a\nb\n    at cell",
                        "throw new RuntimeException(\"a\\nb\");"),
                fails(
                        "no message",
                        "RuntimeException\n    at cell",
                        "throw new RuntimeException();"),
                fails(
                        "a huge message",
                        "x{8000}\\.\\.\\. 92,000 more characters",
                        "throw new RuntimeException(\"x\".repeat(100_000));"),
                fails(
                        "a message that throws",
                        "Mute9: its message cannot be read: IllegalStateException",
                        "class Mute9 extends RuntimeException { public String getMessage() { throw"
                                + " new IllegalStateException(); } }\n"
                                + "throw new Mute9();"),
                fails(
                        "a static initialiser",
                        "ArithmeticException: / by zero\n    at Bad9.static initialiser",
                        "class Bad9 { static int x = 1 / 0; }\nBad9.x"),
                fails(
                        "what the user called of a library",
                        "NumberFormatException: .*\n"
                                + "    in Integer.parseInt\n"
                                + "    at cell \\d+:1   → Integer.parseInt",
                        "Integer.parseInt(\"x1\")"),
                fails(
                        "frames of a library between, folded",
                        "at lambda .*\n    \\.\\.\\. \\d+ library frames\n    at cell",
                        "List.of(1, 0).stream().map(i -> 1 / i).toList()"),
                fails(
                        "what was suppressed",
                        "two\n    at cell .*\n    Suppressed:\n    IOException: closing",
                        "var e9 = new RuntimeException(\"two\"); e9.addSuppressed(new"
                                + " IOException(\"closing\")); throw e9;"),
                fails(
                        "a failure in a task",
                        "ExecutionException: .*\n"
                                + "    at cell .*\n"
                                + "Caused by: ArithmeticException: / by zero\n"
                                + "    at lambda",
                        "try (var p9 = Executors.newSingleThreadExecutor()) { p9.submit(() -> 1 /"
                                + " 0).get(); }"),
                fails(
                        "many causes, the root last",
                        "(?s)level 99.*\\.\\.\\. \\d+ more causes\n"
                                + ".*Caused by: RuntimeException: base$",
                        "Throwable b9 = new RuntimeException(\"base\"); for (int i = 0; i < 100;"
                                + " i++) { b9 = new RuntimeException(\"level \" + i, b9); }\n"
                                + "throw b9;"),
                fails(
                        "a failure that is its own cause",
                        "Own9\n    at cell",
                        "class Own9 extends RuntimeException { public synchronized Throwable"
                                + " getCause() { return this; } }\n"
                                + "throw new Own9();"),
                fails(
                        "a cast",
                        "class java.lang.String cannot be cast to class java.lang.Integer\n",
                        "Object o9 = \"s\"; Integer n9 = (Integer) o9;"));
    }

    private static Arguments fails(String name, String pattern, String code) {
        return Arguments.of(name, pattern, code);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void namesThePlace(String name, String pattern, String code) {
        assertThat(cells.run(code).error())
                .as(name)
                .containsPattern(pattern)
                .doesNotContain(
                        "org.meshbook.kernel", "java.util.concurrent", "jdk.internal", "REPL");
    }

    @Test
    void messageThatNeverEndsIsGivenUp() {
        cells.run("%config value.timeout=300ms");
        cells.run(
                "class Loop9 extends RuntimeException { public String getMessage() { while (true) {"
                        + " } } }");
        assertThat(cells.run("throw new Loop9();").error())
                .startsWith("Loop9: its message did not end in time");
        cells.run("%config value.timeout=default");
    }

    @Test
    void recordMayCheckItselfWithoutPublic() {
        var ran =
                cells.run(
                        "record Axis9(int n) {\n"
                                + "    Axis9 {\n"
                                + "        if (n < 1) throw new IllegalArgumentException(\"n is \" +"
                                + " n);\n"
                                + "    }\n"
                                + "}\n"
                                + "new Axis9(0)");
        assertThat(ran.error())
                .startsWith("IllegalArgumentException: n is 0")
                .containsPattern("at new Axis9 \\(cell \\d+:3\\)");
        assertThat(cells.run("new Axis9(3)").result()).isEqualTo("Axis9[n=3]");
    }

    @Test
    void declarationThatMissesAnImportNamesIt() {
        assertThat(cells.run("JFrame frame9;").output().err())
                .contains(
                        "frame9 cannot be used until class JFrame is declared; import"
                                + " javax.swing.JFrame;");
    }

    @Test
    void coloursCanBeTurnedOff() {
        cells.run("%config error.colours=off");
        var failed = (CellOutcome.Failed) cells.run("int q9 = 1 / 0;").outcome();
        cells.run("%config error.colours=on");
        assertThat(failed.trace()).noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void aMarkBeforeTheTextIsNoError() {
        assertThat(cells.run("\uFEFFint bom9 = 4;\nbom9").result()).isEqualTo("4");
    }
}
