package org.meshbook.magics.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.magics.render.Chart.chart;

import java.io.StringReader;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ChartTest {
    private static final List<Double> LOSSES =
            IntStream.range(0, 600)
                    .mapToObj(i -> 2.2 * Math.exp(-i / 90.0) + 0.05 + 0.04 * Math.sin(i * 1.7))
                    .toList();

    @Test
    void pictureNamesEveryMarkAndAxis() throws Exception {
        var svg =
                chart("loss", LOSSES)
                        .titled("Training through a loss")
                        .mark(210, "slice 2 lost")
                        .mark(330, "slice 2 back")
                        .svg();

        assertThat(parsed(svg).getElementsByTagName("path").getLength()).isEqualTo(2);
        assertThat(svg).contains(">slice 2 lost<", ">slice 2 back<", ">step<", ">loss<");
    }

    @Test
    void textOfUsersCannotBreakThePicture() throws Exception {
        var svg = chart("a < b & \"c\"", LOSSES).mark(3, "<script>").svg();

        assertThat(parsed(svg).getElementsByTagName("script").getLength()).isZero();
    }

    @Test
    void marksAtOnePlaceStandInRows() throws Exception {
        var texts =
                parsed(chart("loss", LOSSES).mark(300, "first").mark(301, "second").svg())
                        .getElementsByTagName("text");
        var rows =
                IntStream.range(0, texts.getLength())
                        .mapToObj(texts::item)
                        .filter(t -> List.of("first", "second").contains(t.getTextContent()))
                        .map(t -> t.getAttributes().getNamedItem("y").getNodeValue())
                        .distinct();

        assertThat(rows).hasSize(2);
    }

    @Test
    void manyPointsBecomeAShortPathThatKeepsTheExtremes() {
        var many = new double[200_000];
        many[123_456] = 1000;

        var svg = chart("spike", many).svg();

        assertThat(svg.length()).isLessThan(60_000);
        assertThat(new ChartDrawing(chart("spike", many)).svg()).contains(">1,000<");
    }

    @Test
    void valuesThatAreNoNumbersAreGaps() throws Exception {
        var svg = chart("loss", List.of(1.0, Double.NaN, 3.0, Double.POSITIVE_INFINITY, 2.0)).svg();

        assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
        assertThat(parsed(svg)).isNotNull();
    }

    @Test
    void oneValueAndEqualValuesAreDrawn() throws Exception {
        for (var values : List.of(List.of(5), Collections.nCopies(9, 0), List.of(-3, -3))) {
            assertThat(chart("flat", values).svg()).doesNotContain("NaN");
            parsed(chart("flat", values).logarithmic().svg());
        }
    }

    @Test
    void logarithmicAxisShowsPowersOfTen() {
        assertThat(chart("loss", List.of(1, 0.1, 0.01)).logarithmic().svg())
                .contains(">0.01<", ">0.1<", ">1<");
    }

    @Test
    void textShowsTheCourseAndTheMarks() {
        assertThat(chart("loss", LOSSES).mark(210, "slice 2 lost").toString().lines())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("loss      2.250 █")
                .contains("▁");
        assertThat(chart("loss", LOSSES).mark(210, "slice 2 lost").toString())
                .contains("▲ 210: slice 2 lost")
                .contains("step 1 to 600");
    }

    @Test
    void emptyAndUnevenLinesAreRefused() {
        assertThatThrownBy(() -> chart("loss", List.of())).hasMessageContaining("has no values");
        assertThatThrownBy(() -> chart("loss", List.of(1, 2), List.of(1)))
                .hasMessageContaining("2 places and 1 values");
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }
}
