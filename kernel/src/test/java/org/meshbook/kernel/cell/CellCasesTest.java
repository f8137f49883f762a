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
import org.junit.jupiter.params.provider.MethodSource;

@Tag("jshell")
@Timeout(120)
class CellCasesTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    /// The last cell's result as text; empty if there is none.
    static Stream<Arguments> results() {
        return Stream.of(
                shows("a remainder without a space", "7", "int r1 = 27 %20;\nr1"),
                shows("a remainder on a line of its own", "3", "int l1 = 13\n  %10;\nl1"),
                shows(
                        "a magic inside a text block",
                        "%exit",
                        "var t1 = \"\"\"\n%exit\n\"\"\";\nt1.trim()"),
                shows("nothing for a blank cell", "", " \n\t\n"),
                shows("nothing for a comment", "", "// note\n/* and\n another */"),
                shows("a value above a comment", "4", "int c1 = 4;\nc1\n// done"),
                shows("Windows line ends", "5", "int w1 = 2;\r\nint w2 = 3;\r\nw1 + w2"),
                shows("a variable that is only declared", "", "int d1 = 3;"),
                shows("a null", "null", "String n1 = null;\nn1"),
                shows("nothing for void", "", "System.out.println(1)"),
                shows("nothing for printf", "", "System.out.printf(\"%d%n\", 1)"),
                shows("empty statements", "1", ";;\nint s1 = 1;;\ns1"),
                shows(
                        "types that need each other, in two cells",
                        "true",
                        "class Left1 { Right1 r; }",
                        "class Right1 { Left1 l; }",
                        "new Left1().r == null"),
                shows(
                        "types that need each other, in one cell",
                        "true",
                        "class Left2 { Right2 r; }\n"
                                + "class Right2 { Left2 l; }\n"
                                + "new Right2().l == null"),
                shows(
                        "a method declared below its use",
                        "12",
                        "int half1(int n) { return below1(n) / 2; }\n"
                                + "int below1(int n) { return n + 4; }\n"
                                + "half1(20)"),
                shows(
                        "callers of a changed method",
                        "30",
                        "int one1() { return 1; }\nint ten1() { return one1() * 10; }",
                        "int one1() { return 3; }",
                        "ten1()"),
                shows(
                        "a changed class",
                        "new",
                        "class K1 { String s() { return \"old\"; } }",
                        "class K1 { String s() { return \"new\"; } }",
                        "new K1().s()"),
                shows(
                        "statics beside other declarations",
                        "2",
                        "class N1 { static int n; static int up() { return ++n; } }",
                        "N1.up();",
                        "int other1() { return 0; }",
                        "N1.up()"),
                shows(
                        "a variable below later imports",
                        "2",
                        "var kept1 = new ArrayList<>(List.of(1, 2));\n"
                                + "import java.text.*;\n"
                                + "import java.util.zip.*;\n"
                                + "kept1.size()"),
                shows(
                        "a variable whose method changed",
                        "1",
                        "int m1() { return 1; }",
                        "var v1 = m1();",
                        "int m1() { return 2; }",
                        "v1"),
                shows(
                        "a generic method",
                        "9",
                        "<T extends Comparable<T>> T most1(List<T> l) { return Collections.max(l);"
                                + " }\n"
                                + "most1(List.of(9, 4))"),
                shows(
                        "a chain with comments",
                        "1",
                        "List.of(2, 1).stream()\n"
                                + "    // least first\n"
                                + "    .sorted()\n"
                                + "    .findFirst().get()"),
                shows(
                        "else on the line of a brace",
                        "b",
                        "String e1;\nif (1 > 2) {\n  e1 = \"a\";\n} else {\n  e1 = \"b\";\n}\ne1"),
                shows("an anonymous class", "6", "var a1 = new Object() { int n = 6; };\na1.n"),
                shows(
                        "an import of a module",
                        "true",
                        "import module java.sql;",
                        "Connection con1 = null;\ncon1 == null"),
                shows(
                        "a class below a package line",
                        "2",
                        "package demo.x;\nclass P1 { int n = 2; }\nnew P1().n"),
                shows("names beyond ASCII", "4", "int größe = 4;\ngröße"),
                shows("an array by content", "[1, 2]", "new int[] {1, 2}"),
                shows(
                        "an array of arrays by content",
                        "[[1], [2, 3]]",
                        "new int[][] {{1}, {2, 3}}"),
                shows(
                        "a list that holds itself",
                        "[[...]]",
                        "List<Object> self1 = new ArrayList<>();\nself1.add(self1);\nself1"),
                shows("a map by content", "{k=[1]}", "Map.of(\"k\", new int[] {1})"),
                shows(
                        "an object whose toString overflows",
                        "<Rude1: its toString threw StackOverflowError>",
                        "class Rude1 { public String toString() { throw new StackOverflowError(); }"
                                + " }\n"
                                + "new Rude1()"),
                shows(
                        "an object whose toString is null",
                        "null",
                        "class Mute1 { public String toString() { return null; } }\nnew Mute1()"),
                shows(
                        "a record that only its cell knows",
                        "Pair1[a=1, b=x]",
                        "record Pair1(int a, String b) {}\nnew Pair1(1, \"x\")"),
                shows("a value after a failed cell", "2", "int f1 = 1 / 0;", "1 + 1"),
                shows("a value after an incomplete cell", "2", "for (;;) {", "1 + 1"),
                shows(
                        "a switch expression",
                        "other",
                        "int day1 = 2;\n"
                                + "String q1 = switch (day1) { case 1 -> \"mon\"; default -> \"other\";"
                                + " };\n"
                                + "q1"));
    }

    private static Arguments shows(String name, String result, String... code) {
        return Arguments.of(name, result, code);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("results")
    void showsTheLastValue(String name, String result, String[] code) {
        assertThat(last(code).result()).as(name).isEqualTo(result);
    }

    /// A pattern that the failure's text must hold.
    static Stream<Arguments> failures() {
        return Stream.of(
                shows(
                        "a type error, with its place",
                        "CompileError: incompatible types: .*\n"
                                + "    at cell \\d+:2:14\n"
                                + "    int wrong1 = \"text\";\n"
                                + "                 \\^+",
                        "int fine1 = 1;\nint wrong1 = \"text\";"),
                shows(
                        "a syntax error, with its place",
                        "illegal start of expression\n    at cell \\d+:1:11",
                        "int x1a = = 3;"),
                shows(
                        "code that is cut short",
                        "incomplete",
                        "int never1 = 1;\nfor (int i = 0; i < 3; i++) {"),
                shows(
                        "a type that is missing below a use",
                        "class Dekue",
                        "Dekue<String> make1() { return null; }\nmake1()"),
                shows(
                        "a name that is missing in a method",
                        "variable mesage",
                        "void shout1() { System.out.println(mesage); }",
                        "shout1()"),
                shows(
                        "the user's own exception",
                        "Oops1: bad thing\n    at cell \\d+:1",
                        "class Oops1 extends RuntimeException { Oops1(String m) { super(m); } }",
                        "throw new Oops1(\"bad thing\");"),
                shows(
                        "frames of methods",
                        "ArithmeticException: / by zero\n"
                                + "    at inner1 \\(cell \\d+:2\\).*\n"
                                + "    at cell \\d+:4",
                        "int inner1() {\n  return 1 / 0;\n}\ninner1()"),
                shows(
                        "causes",
                        "IllegalStateException: outer[\\s\\S]*Caused by: NullPointerException:"
                                + " .*\"o1\" is null",
                        "Object o1 = null;\n"
                                + "try { o1.hashCode(); } catch (Exception e) { throw new"
                                + " IllegalStateException(\"outer\", e); }"),
                shows(
                        "recursion without an end, in few lines",
                        "StackOverflowError(\n"
                                + "    at deep1 .*){12}\n"
                                + "    \\.\\.\\. [\\d,]+ more frames(\n"
                                + "    at deep1 .*){4}",
                        "int deep1(int n) { return deep1(n + 1); }",
                        "deep1(0)"),
                shows(
                        "System.exit, which is not done",
                        "System.exit\\(3\\).*%exit",
                        "System.exit(3);"),
                shows(
                        "Runtime.halt, which is not done",
                        "Runtime.halt\\(4\\).*%exit",
                        "Runtime.getRuntime().halt(4);"),
                shows(
                        "System::exit, which is not done",
                        "System.exit\\(5\\).*%exit",
                        "java.util.function.IntConsumer leave1 = System::exit;\nleave1.accept(5)"),
                shows(
                        "a magic in the middle of a statement",
                        "a magic stands only after a finished statement",
                        "int y1 = 3\n%exit\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void namesWhatFailed(String name, String pattern, String[] code) {
        assertThat(last(code).error())
                .as(name)
                .containsPattern(pattern)
                .doesNotContain("org.meshbook.kernel", "java.base", "REPL");
    }

    private static Cells.Ran last(String... code) {
        for (var i = 0; i < code.length - 1; i++) {
            cells.run(code[i]);
        }
        return cells.run(code[code.length - 1]);
    }

    @Test
    void nothingRunsOfACellThatIsCutShort() {
        var ran = cells.run("System.out.println(\"ran\");\nfor (;;) {");
        assertThat(ran.ok()).isFalse();
        assertThat(ran.output().out()).isEmpty();
    }

    @Test
    void definitionThatWaitsIsNoticedAtOnce() {
        var ran = cells.run("void later2() { nobody2(); }");
        assertThat(ran.ok()).isTrue();
        assertThat(ran.output().err()).contains("later2 cannot be used until method nobody2()");
    }

    @Test
    void variableOfAChangedClassIsReportedAsReset() {
        cells.run("class Shape2 { int a; }");
        cells.run("Shape2 shape2 = new Shape2(); var list2 = new ArrayList<>(List.of(1));");
        var ran = cells.run("class Shape2 { int a; int b; }");
        assertThat(ran.output().err()).contains("shape2 was reset").doesNotContain("list2");
        assertThat(cells.run("list2").result()).isEqualTo("[1]");
    }

    @Test
    void variableThatNoLongerCompilesIsExplained() {
        cells.run("int size3() { return 1; }");
        cells.run("var var3 = size3();");
        var ran = cells.run("long size3() { return 2; }");
        assertThat(ran.output().err()).contains("var3 is not defined any more", "declare it anew");
        assertThat(cells.run("var3").error()).contains("var3 is not defined any more");
    }

    @Test
    void manyResultsDoNotPileUp() {
        for (var i = 0; i < 40; i++) {
            assertThat(cells.run("new byte[4_000_000].length + " + i).ok()).isTrue();
        }
        assertThat(cells.run("1 + 1").result()).isEqualTo("2");
    }

    @Test
    void expressionsAreEvaluatedAfterACell() {
        var cell = cells.engine().cell("int ux = 4;", 1, new Recorded());
        cell.run();
        var values = cell.evaluate(java.util.Map.of("good", "ux + 1", "bad", "nope"));
        assertThat(
                        new Cells.Ran(
                                        java.util.Objects.requireNonNull(values.get("good")),
                                        new Recorded())
                                .result())
                .isEqualTo("5");
        assertThat(
                        new Cells.Ran(
                                        java.util.Objects.requireNonNull(values.get("bad")),
                                        new Recorded())
                                .error())
                .contains("nope");
    }
}
