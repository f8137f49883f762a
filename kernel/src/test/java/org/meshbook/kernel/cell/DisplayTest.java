package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.cell.CellOutcome.Done;
import org.meshbook.kernel.spi.DisplayData;

@Tag("jshell")
@Timeout(120)
class DisplayTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @Test
    void displayShowsAndReturnsNothingToShow() {
        var ran = cells.run("display(\"shown\");");
        assertThat(ran.output().displays)
                .extracting(d -> d.bundle().get("text/plain"))
                .containsExactly("shown");
        assertThat(ran.result()).isEmpty();
    }

    @Test
    void updateReplacesByTheId() {
        var ran = cells.run("var id1 = display(1); updateDisplay(id1, List.of(2)); clearOutput();");
        assertThat(ran.output().updates).hasSize(1);
        assertThat(ran.output().updates.getFirst().id())
                .isEqualTo(ran.output().displays.getFirst().id())
                .isPresent();
        assertThat(ran.output().clears).containsExactly(false);
    }

    @Test
    void displayTakesAMimeType() {
        var ran = cells.run("display(\"<b>x</b>\", \"text/html\");");
        assertThat(ran.output().displays.getFirst().bundle())
                .containsEntry("text/html", "<b>x</b>");
    }

    @Test
    void recordsAreATable() {
        var data =
                shown(
                        "record Row1(String name, int n) {}\n"
                                + "List.of(new Row1(\"a<b\", 1), new Row1(\"c\", 2))");
        assertThat(data.bundle().get("text/plain"))
                .isEqualTo("[Row1[name=a<b, n=1], Row1[name=c, n=2]]");
        assertThat(text(data, "text/html"))
                .contains("<th>name</th><th>n</th>", ">a&lt;b</td><td>1</td>");
    }

    @Test
    void picturesArePng() {
        var data = shown("new java.awt.image.BufferedImage(4, 3, 1)");
        assertThat(data.bundle().get("text/plain")).isEqualTo("<image 4 x 3>");
        assertThat(text(data, "image/png")).startsWith("iVBORw0KGgo");
    }

    @Test
    void longListsAreCut() {
        var data = shown("IntStream.range(0, 1_000_000).boxed().toList()");
        assertThat(text(data, "text/plain")).startsWith("[0, 1, 2, ").endsWith("... 999000 more]");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    html("<b>x</b> &amp; y<br>z")   | text/html              | <b>x</b> &amp; y<br>z | x & y~z
                    markdown("# T")                 | text/markdown          | # T                   | # T
                    latex("x^2")                    | text/latex             | $$x^2$$               | x^2
                    latex("where $x$ is")           | text/latex             | $$where $x$ is$$      | where $x$ is
                    latex("$x$ is")                 | text/latex             | $x$ is                | $x$ is
                    svg("<svg/>")                   | image/svg+xml          | <svg/>                | <svg, 6 characters>
                    javascript("1")                 | application/javascript | 1                     | <javascript, 1 characters>
                    json(Map.of("a", 1))            | application/json       | {a=1}                 | {~  "a" : 1~}
                    json("[1, {}]")                 | application/json       | [1, {}]               | [ 1, { } ]
                    """)
    void contentOfAKindHasThatKindAndText(String code, String mime, String content, String plain) {
        var data = shown(code);
        assertThat(text(data, mime)).isEqualTo(content);
        assertThat(text(data, "text/plain")).isEqualTo(plain.replace("~", "\n"));
    }

    @Test
    void recordsBecomeJson() {
        assertThat(
                        shown(
                                        "record J1(int a, List<String> l) {}\n"
                                                + "json(new J1(1, List.of(\"x\")))")
                                .bundle())
                .containsEntry(
                        "application/json", java.util.Map.of("a", 1, "l", java.util.List.of("x")));
    }

    @Test
    void brokenJsonIsExplained() {
        assertThat(cells.run("json(\"{]\")").error()).contains("no JSON: ");
    }

    @Test
    void picturesComeFromBytesFilesAndAddresses() {
        cells.run(
                """
                var made = new java.awt.image.BufferedImage(4, 3, 1);
                var file1 = Files.createTempFile("p", ".jpg");
                javax.imageio.ImageIO.write(made, "jpg", file1.toFile());
                """);
        assertThat(text(shown("image(Files.readAllBytes(file1))"), "image/jpeg"))
                .startsWith("/9j/");
        assertThat(text(shown("image(file1)"), "image/jpeg")).startsWith("/9j/");
        assertThat(text(shown("image(file1.toString())"), "image/jpeg")).startsWith("/9j/");
        assertThat(text(shown("image(file1.toUri())"), "image/jpeg")).startsWith("/9j/");
        assertThat(text(shown("image(made)"), "image/png")).startsWith("iVBORw0KGgo");
        assertThat(cells.run("image(\"/nowhere.png\")").error()).contains("no file /nowhere.png");
        assertThat(cells.run("image(new byte[] {1, 2})").error())
                .contains("no picture of a known kind");
        assertThat(cells.run("Files.delete(file1);").ok()).isTrue();
    }

    @Test
    void wrappedWorkBelongsToTheCellThatWrappedIt() throws Exception {
        cells.run("var pool1 = Executors.newFixedThreadPool(1);\npool1.submit(() -> {}).get();");
        var ran =
                cells.run(
                        "pool1.submit(wrap(() -> System.out.print(\"mine\"))).get();\n"
                                + "pool1.submit(wrap(() -> display(7))).get();");
        assertThat(ran.output().out()).isEqualTo("mine");
        assertThat(ran.output().displays).hasSize(1);
        var common =
                cells.run(
                        "var gate1 = new CountDownLatch(1);\n"
                                + "var done1 = CompletableFuture.runAsync(wrap((Runnable) () -> { try {"
                                + " gate1.await(); } catch (InterruptedException e) { }"
                                + " System.out.print(\"late\"); }));");
        cells.run("gate1.countDown(); done1.get(); pool1.shutdown();");
        assertThat(common.output().out()).isEqualTo("late");
    }

    private static DisplayData shown(String code) {
        var ran = cells.run(code);
        assertThat(ran.outcome()).isInstanceOf(Done.class);
        return ((Done) ran.outcome()).result().orElseThrow();
    }

    private static String text(DisplayData data, String mime) {
        return String.valueOf(data.bundle().get(mime));
    }
}
