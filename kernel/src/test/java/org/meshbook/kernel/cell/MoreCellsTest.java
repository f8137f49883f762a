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
class MoreCellsTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    static Stream<Arguments> results() {
        return Stream.of(
                shows(
                        "a changed signature",
                        "x!",
                        "class Sig1 { static int f(int a) { return a; } }",
                        "class Sig1 { static String f(String a) { return a + \"!\"; } }",
                        "Sig1.f(\"x\")"),
                shows(
                        "overloads beside each other",
                        "y3",
                        "static int g1(int a) { return a; }",
                        "static String g1(String a) { return a; }",
                        "g1(\"y\") + g1(3)"),
                shows(
                        "an enum with a method",
                        "GREEN",
                        "enum Color1 { RED, GREEN; Color1 next() { return values()[1]; } }\n"
                                + "Color1.RED.next()"),
                shows(
                        "sealed types and patterns",
                        "4.0",
                        "sealed interface Shape1 permits Circle1, Square1 {}\n"
                                + "record Circle1(double r) implements Shape1 {}\n"
                                + "record Square1(double s) implements Shape1 {}\n"
                                + "double area1(Shape1 s) { return switch (s) { case Circle1(var r) ->"
                                + " 3 * r * r; case Square1(var q) -> q * q; }; }\n"
                                + "area1(new Square1(2))"),
                shows(
                        "a default method and a lambda",
                        "hi hi bo",
                        "interface Greeter1 { String greet(String n); default Greeter1 twice() {"
                                + " return n -> greet(greet(n)); } }\n"
                                + "Greeter1 gr1 = n -> \"hi \" + n;\n"
                                + "gr1.twice().greet(\"bo\")"),
                shows(
                        "a generic class",
                        "true",
                        "class Box1<T extends Comparable<T>> { T v; Box1(T v) { this.v = v; }"
                                + " boolean gt(Box1<T> o) { return v.compareTo(o.v) > 0; } }\n"
                                + "new Box1<>(3).gt(new Box1<>(2))"),
                shows(
                        "variable arguments",
                        "6",
                        "int sum1(int... xs) { return IntStream.of(xs).sum(); }\nsum1(1, 2, 3)"),
                shows(
                        "a text block with escapes",
                        "Hello \"W\"\n  3 joined\n",
                        "var text1 = \"\"\"\n"
                                + "    Hello \"W\"\n"
                                + "      %d \\\n"
                                + "    joined\n"
                                + "    \"\"\".formatted(3);\n"
                                + "text1"),
                shows("escapes of characters", "žA", "\"\\u017e\" + '\\u0041'"),
                shows(
                        "an annotation on its own line",
                        "true",
                        "@Deprecated\nclass Old1 { }\nnew Old1() != null"),
                shows(
                        "functions that return functions",
                        "5",
                        "Function<Integer, Function<Integer, Integer>> add1 = a -> b -> a + b;\n"
                                + "add1.apply(2).apply(3)"),
                shows("a loop without braces", "3", "int i1 = 0;\nwhile (i1 < 3) i1++;\ni1"),
                shows("a variable without a value", "0", "int unset1;\nunset1"),
                shows("an assignment", "5", "int set1 = 1;", "set1 = 5"),
                shows("an increment", "1", "int up1 = 1;", "up1++"),
                shows("null alone", "null", "null"),
                shows("a cast null", "null", "(Object) null"),
                shows(
                        "nothing for a void method of the user's",
                        "",
                        "void nothing1() { }\nnothing1()"),
                shows("an import without a semicolon", "", "import java.util.concurrent.*"),
                shows(
                        "an import before its use on a line",
                        "2024-02-29",
                        "import java.time.*; LocalDate.of(2024, 2, 29)"),
                shows(
                        "a remainder whose sign stands at the end",
                        "1",
                        "int m1 = 10, k1 = 3;\nm1 %\nk1"),
                shows("a remainder on the next line", "1", "int m2 = 10, k2 = 3;\nm2\n%k2"),
                shows(
                        "recursion of two methods",
                        "true",
                        "boolean even1(int n) { return n == 0 || odd1(n - 1); }\n"
                                + "boolean odd1(int n) { return n != 0 && even1(n - 1); }\n"
                                + "even1(10)"),
                shows(
                        "a variable of a new type",
                        "text",
                        "int shadow1 = 1;",
                        "String shadow1 = \"text\";\nshadow1"),
                shows(
                        "modifiers that say nothing here",
                        "9",
                        "static final int a1 = 2; private int b1 = 3; protected int c1 = 4; a1 + b1"
                                + " + c1"),
                shows("comments everywhere", "3", "/* a */ 1 /* b */ + /* c */ 2 // d"),
                shows(
                        "an annotation type",
                        "Marked1",
                        "@interface Mark1 { int value() default 1; }\n"
                                + "@Mark1(3) class Marked1 { }\n"
                                + "Marked1.class.getSimpleName()"),
                shows(
                        "names of other alphabets",
                        "x3",
                        "int λ1 = 3;\nString 名前1 = \"x\";\n名前1 + λ1"),
                shows("a very long line", "60000", "\"" + "x".repeat(60_000) + "\".length()"));
    }

    private static Arguments shows(String name, String result, String... code) {
        return Arguments.of(name, result, code);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("results")
    void showsTheLastValue(String name, String result, String[] code) {
        for (var i = 0; i < code.length - 1; i++) {
            cells.run(code[i]);
        }
        assertThat(cells.run(code[code.length - 1]).result()).as(name).isEqualTo(result);
    }

    static Stream<Arguments> prints() {
        return Stream.of(
                shows(
                        "a labelled loop",
                        "00 10 ",
                        "outer:\n"
                                + "for (int i = 0; i < 2; i++) {\n"
                                + "  for (int j = 0; j < 3; j++) {\n"
                                + "    if (j == 1) continue outer;\n"
                                + "    System.out.print(i + \"\" + j + \" \");\n"
                                + "  }\n"
                                + "}"),
                shows(
                        "resources",
                        "a",
                        "try (var sc = new Scanner(\"a b\")) {\n  System.out.print(sc.next());\n}"),
                shows(
                        "else on a line of its own",
                        "no",
                        "if (1 > 2)\n"
                                + "  System.out.print(\"yes\");\n"
                                + "else\n"
                                + "  System.out.print(\"no\");"),
                shows(
                        "an old switch",
                        "many",
                        "switch (3) { case 1: System.out.print(\"one\"); break; default:"
                                + " System.out.print(\"many\"); }"),
                shows("a block", "4", "{ int scoped = 4; System.out.print(scoped); }"),
                shows(
                        "a pattern",
                        "big 5",
                        "Object o1 = 5;\n"
                                + "if (o1 instanceof Integer k && k > 3) System.out.print(\"big \" +"
                                + " k);"),
                shows(
                        "a lambda over lines",
                        "ran",
                        "Runnable rr1 = () -> {\n  System.out.print(\"ran\");\n};\nrr1.run();"),
                shows(
                        "signs for a terminal",
                        "\b\u001b[31mred\u001b[0m\r",
                        "System.out.print(\"\\b\\u001b[31mred\\u001b[0m\\r\");"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("prints")
    void printsAsItRuns(String name, String printed, String[] code) {
        var ran = cells.run(code[0]);
        assertThat(ran.output().out()).as(name + ran.error()).isEqualTo(printed);
        assertThat(ran.result()).isEmpty();
    }

    /// A `~` is a new line.
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    public class Foo5 { public static void main(String[] a) { } } | Foo5.main(new String[0]) runs it
                    class Foo6 { static public void main(String... a) { } }       | Foo6.main(new String[0]) runs it
                    class Foo7 { void main() { } }                                | new Foo7().main() runs it
                    void main() { IO.println("x"); }                              | main() runs it
                    public static void main(String[] args) { }                    | main(new String[0]) runs it
                    """)
    void programThatIsOnlyDeclaredSaysHowToRunIt(String code, String hint) {
        var ran = cells.run(code);
        assertThat(ran.output().err()).endsWith("declared, not run: " + hint + "\n");
        assertThat(cells.run(hint.replace(" runs it", ";")).ok()).isTrue();
    }

    @Test
    void codeTooDeepForTheCompilerIsExplained() {
        assertThat(cells.run("0" + " + 1".repeat(20_000)).error())
                .contains("nested too deeply for the compiler");
        assertThat(cells.run("1 + 1").result()).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    class Bar5 { static void main(String[] a) { } } Bar5.main(null);
                    class Bar6 { void mainly() { } String s = "void main()x"; }
                    int main5 = 3;
                    """)
    void otherCellsSayNothingOfTheKind(String code) {
        assertThat(cells.run(code).output().err()).isEmpty();
    }
}
