package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.cell.CellOutcome.Done;
import org.meshbook.kernel.spi.DisplayData;

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
                        "record Row1(String name, int n) {}\nList.of(new Row1(\"a<b\", 1), new Row1(\"c\", 2))");
        assertThat(data.bundle().get("text/plain"))
                .isEqualTo("[Row1[name=a<b, n=1], Row1[name=c, n=2]]");
        assertThat(text(data, "text/html"))
                .contains("<th>name</th><th>n</th>", "<td>a&lt;b</td><td>1</td>");
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

    private static DisplayData shown(String code) {
        var ran = cells.run(code);
        assertThat(ran.outcome()).isInstanceOf(Done.class);
        return ((Done) ran.outcome()).result().orElseThrow();
    }

    private static String text(DisplayData data, String mime) {
        return String.valueOf(data.bundle().get(mime));
    }
}
