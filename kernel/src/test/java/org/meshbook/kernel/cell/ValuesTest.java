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
import org.meshbook.kernel.cell.CellOutcome.Done;
import org.meshbook.kernel.spi.DisplayData;

@Tag("jshell")
@Timeout(120)
class ValuesTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                shows("an array of doubles", "[1.5, NaN]", "new double[] {1.5, Double.NaN}"),
                shows("characters", "[a, ž]", "new char[] {'a', 'ž'}"),
                shows("an array of nulls", "[null, null]", "new String[2]"),
                shows("an empty array", "[]", "new long[0]"),
                shows("three dimensions", "[[[0], [0]]]", "new int[1][2][1]"),
                shows(
                        "a long array",
                        "[0, 0, .*0, \\.\\.\\. 999000 more\\]",
                        "new byte[1_000_000]"),
                shows(
                        "an array that holds itself",
                        "[[...]]",
                        "Object[] self2 = new Object[1]; self2[0] = self2; self2"),
                shows(
                        "a map that holds itself",
                        "{k={...}}",
                        "Map<String, Object> self3 = new HashMap<>(); self3.put(\"k\", self3);"
                                + " self3"),
                shows("a stream", "[2, 4, 6]", "Stream.of(1, 2, 3).map(i -> i * 2)"),
                shows("a stream of ints", "[0, 1, 2]", "IntStream.range(0, 3)"),
                shows(
                        "a stream without an end",
                        "[1, 2, .*1000, \\.\\.\\.\\]",
                        "Stream.iterate(1, i -> i + 1)"),
                shows(
                        "a stream without an end inside another",
                        "[1, 2, .*1000, \\.\\.\\.\\]",
                        "Stream.of(0).flatMap(x -> Stream.iterate(1, i -> i + 1))"),
                shows("a parallel stream", "[0, 1, 2]", "IntStream.range(0, 3).parallel()"),
                shows(
                        "a stream that fails",
                        "<stream: java.lang.ArithmeticException: / by zero>",
                        "Stream.of(0).map(i -> 1 / i)"),
                shows(
                        "a stream that was used",
                        "<stream: java.lang.IllegalStateException: stream has already.*",
                        "var used1 = Stream.of(1); used1.count(); used1"),
                shows("an optional", "Optional[[1]]", "Optional.of(new int[] {1})"),
                shows("an empty optional", "Optional.empty", "Optional.empty()"),
                shows("an entry", "a=[1]", "Map.entry(\"a\", new int[] {1})"),
                shows(
                        "a record with an array",
                        "Row3[name=a, n=[1, 2]]",
                        "record Row3(String name, int[] n) {}\nnew Row3(\"a\", new int[] {1, 2})"),
                shows(
                        "records in a record",
                        "Out4[in=In4[n=[7]], l=[In4[n=[8]]]]",
                        "record In4(int[] n) {}\n"
                                + "record Out4(In4 in, List<In4> l) {}\n"
                                + "new Out4(new In4(new int[] {7}), List.of(new In4(new int[] {8})))"),
                shows(
                        "a record with a text of its own",
                        "mine",
                        "record Row5(int n) { public String toString() { return \"mine\"; } }\n"
                                + "new Row5(1)"),
                shows(
                        "a record with a rude component",
                        "Row6[a=1, r=<Rude6: its toString threw Ouch6>]",
                        "class Ouch6 extends Error {}\n"
                                + "class Rude6 { public String toString() { throw new Ouch6(); } }\n"
                                + "record Row6(int a, Rude6 r) {}\n"
                                + "new Row6(1, new Rude6())"),
                shows("an enum", "SECONDS", "java.util.concurrent.TimeUnit.SECONDS"),
                shows(
                        "a number without bounds",
                        "1267650600228229401496703205376",
                        "BigInteger.TWO.pow(100)"),
                shows("text of several lines", "a\nb", "\"a\\nb\""),
                shows("an empty text", "", "\"\""),
                shows("text that is built", "ab", "new StringBuilder(\"ab\")"),
                shows("a class", "class Known7", "class Known7 {}\nKnown7.class"),
                shows(
                        "an object without a text",
                        "Known8@[0-9a-f]+",
                        "class Known8 {}\nnew Known8()"),
                shows(
                        "an exception",
                        "Oops9: bad",
                        "class Oops9 extends Exception { Oops9(String m) { super(m); } }\n"
                                + "new Oops9(\"bad\")"),
                shows(
                        "a function",
                        "lambda (Function)",
                        "Function<Integer, Integer> f9 = x -> x;\nf9"),
                shows("a path", "/tmp/x", "Path.of(\"/tmp/x\")"),
                shows(
                        "an iterable",
                        "[1, 2]",
                        "Iterable<Integer> it9 = new Iterable<>() { public Iterator<Integer>"
                                + " iterator() { return List.of(1, 2).iterator(); } };\n"
                                + "it9"),
                shows(
                        "a list that is computed, and huge",
                        "[0, 1, .*999, \\.\\.\\. 999999000 more\\]",
                        "new AbstractList<Integer>() { public Integer get(int i) { return i; }"
                                + " public int size() { return 1_000_000_000; } }"),
                shows(
                        "a collection whose iterator has no end",
                        "[1, 1, .*1, \\.\\.\\.\\]",
                        "new AbstractCollection<Integer>() { public Iterator<Integer> iterator() {"
                                + " return Stream.generate(() -> 1).iterator(); } public int size() {"
                                + " throw new UnsupportedOperationException(); } }"),
                shows(
                        "a collection that changes meanwhile",
                        "<.*: its toString threw ConcurrentModificationException>",
                        "class Odd1 extends ArrayList<Integer> { public Iterator<Integer>"
                                + " iterator() { throw new ConcurrentModificationException(); } }\n"
                                + "var odd1 = new Odd1(); odd1.add(1); odd1"),
                shows(
                        "an object whose hash fails",
                        "<Rude7: its toString threw IllegalStateException>",
                        "class Rude7 { public int hashCode() { throw new IllegalStateException(); }"
                                + " }\n"
                                + "new Rude7()"),
                shows(
                        "an object whose toString fails inside a list",
                        "[1, <Rude8: its toString threw OutOfMemoryError>]",
                        "class Rude8 { public String toString() { throw new OutOfMemoryError(); }"
                                + " }\n"
                                + "List.of(1, new Rude8())"),
                shows(
                        "lists in lists, very deep",
                        "\\[{32}.*",
                        "Object deep9 = 1; for (int i = 0; i < 10_000; i++) { deep9 ="
                                + " List.of(deep9); }\n"
                                + "deep9"),
                shows(
                        "long text",
                        "x{100000}... 900000 more characters",
                        "\"x\".repeat(1_000_000)"));
    }

    private static Arguments shows(String name, String text, String code) {
        return Arguments.of(name, text, code);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void showsAsText(String name, String text, String code) {
        var result = cells.run(code).result();
        if (!result.equals(text)) {
            assertThat(result).as(name).matches("(?s)" + pattern(text));
        }
    }

    /// A bracket at the beginning stands for itself.
    private static String pattern(String text) {
        return text.startsWith("[") ? "\\" + text : text;
    }

    @Test
    void valueWhoseTextNeverEndsIsGivenUp() {
        cells.run("%config value.timeout=300ms");
        var ran =
                cells.run(
                        "class Endless1 { public String toString() { while (true) { } } }\n"
                                + "new Endless1()");
        assertThat(ran.result()).isEqualTo("<Endless1: its toString did not end in time>");
        var endless = cells.run("Stream.iterate(1, i -> i + 1).filter(i -> i < 0)");
        assertThat(endless.result()).isEqualTo("<stream: it did not end in time>");
        cells.run("%config value.timeout=default");
        assertThat(cells.run("1 + 1").result()).isEqualTo("2");
    }

    @Test
    void rowsOfMapsAreATable() {
        assertThat(
                        html(
                                "List.of(Map.of(\"a\", 1), new TreeMap<>(Map.of(\"a\", 2, \"b\","
                                        + " \"<x>\")))"))
                .contains("<th>a</th><th>b</th>", "<td>1</td>", "&lt;x&gt;</td>");
    }

    @Test
    void rowsOfRowsAreATable() {
        assertThat(html("new int[][] {{1, 2}, {3}}"))
                .contains("<tr><td>1</td><td>2</td></tr>", "<tr><td>3</td></tr>")
                .doesNotContain("<th>");
        assertThat(html("List.of(List.of(1, 2), List.of(3))")).contains("<td>1</td><td>2</td>");
    }

    @Test
    void arraysOfRecordsAndStreamsOfThemAreATable() {
        cells.run("record P10(int x) {}");
        assertThat(html("new P10[] {new P10(1)}")).contains("<th>x</th>", "<td>1</td>");
        assertThat(html("Stream.of(new P10(2))")).contains("<th>x</th>", "<td>2</td>");
    }

    @Test
    void longTablesSayWhatIsLeftOut() {
        cells.run("record P11(int x) {}");
        assertThat(html("IntStream.range(0, 1_000).mapToObj(P11::new).toList()"))
                .contains("<td>49</td>", "... 950 more")
                .doesNotContain("<td>50</td>");
        cells.run("%config table.rows=2");
        assertThat(html("IntStream.range(0, 1_000).mapToObj(P11::new).toList()"))
                .contains("... 998 more");
        cells.run("%config table.rows=default");
    }

    @Test
    void plainListsAreNoTable() {
        assertThat(shown("List.of(1, 2)").bundle()).containsOnlyKeys("text/plain");
    }

    private static DisplayData shown(String code) {
        var ran = cells.run(code);
        assertThat(ran.outcome()).as(ran.error()).isInstanceOf(Done.class);
        return ((Done) ran.outcome()).result().orElseThrow();
    }

    private static String html(String code) {
        return String.valueOf(shown(code).bundle().get("text/html"));
    }
}
