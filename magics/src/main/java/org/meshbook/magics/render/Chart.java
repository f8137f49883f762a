package org.meshbook.magics.render;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.meshbook.kernel.spi.DisplayData;

/// A line chart with marked events: SVG in a notebook, a small bar line in a terminal.
///
/// Each method yields a changed copy. Its colours are readable on white and on black.
///
/// {@snippet :
/// chart("loss", losses).mark(310, "slice 2 lost").mark(420, "slice 2 back").axes("step", "loss")
/// }
///
/// @param series the lines, in order
/// @param marks what happened at some place of the horizontal axis
/// @param frame titles and scale
public record Chart(List<Series> series, List<Mark> marks, Frame frame) {
    /// @throws org.meshbook.elastic.UsageError if there is no series
    public Chart {
        series = List.copyOf(series);
        marks = List.copyOf(marks);
        require(!series.isEmpty(), "a chart needs a line, as in chart(\"loss\", values)");
    }

    /// One line.
    ///
    /// @param name shown in the legend
    /// @param x places on the horizontal axis
    /// @param y values, one a place; what is not finite is a gap
    public record Series(String name, List<Double> x, List<Double> y) {
        /// @throws org.meshbook.elastic.UsageError if there are no values, or not one a place
        public Series {
            x = List.copyOf(x);
            y = List.copyOf(y);
            require(
                    x.size() == y.size(),
                    "line '%s' has %d places and %d values; give one value a place",
                    name,
                    x.size(),
                    y.size());
            require(!y.isEmpty(), "line '%s' has no values; give at least one", name);
        }
    }

    /// Something that happened.
    ///
    /// @param at place on the horizontal axis
    /// @param text a few words
    public record Mark(double at, String text) {
        /// A text that says lost is red, one that says back is green.
        enum Tone {
            LOSS,
            RETURN,
            NOTE
        }

        Tone tone() {
            var words = text.toLowerCase(Locale.ROOT);
            if (words.contains("lost") || words.contains("killed") || words.contains("hung")) {
                return Tone.LOSS;
            }
            return words.contains("back") || words.contains("grew") ? Tone.RETURN : Tone.NOTE;
        }
    }

    /// What stands around the lines.
    ///
    /// @param title above; may be empty
    /// @param across name of the horizontal axis
    /// @param up name of the vertical axis
    /// @param logarithmic whether the vertical axis shows powers of ten
    public record Frame(String title, String across, String up, boolean logarithmic) {}

    /// A chart of one line over the places 1, 2, 3, ...
    ///
    /// @param name shown in the legend and at the vertical axis
    /// @param values at least one
    /// @return the chart
    public static Chart chart(String name, Collection<? extends Number> values) {
        return chart(name, places(values.size()), values);
    }

    /// A chart of one line over the places 1, 2, 3, ...
    ///
    /// @param name shown in the legend and at the vertical axis
    /// @param values at least one
    /// @return the chart
    public static Chart chart(String name, double[] values) {
        return chart(name, Arrays.stream(values).boxed().toList());
    }

    /// A chart of one line.
    ///
    /// @param name shown in the legend and at the vertical axis
    /// @param places on the horizontal axis, as step numbers
    /// @param values one a place
    /// @return the chart
    public static Chart chart(
            String name, Collection<? extends Number> places, Collection<? extends Number> values) {
        return new Chart(
                List.of(new Series(name, doubles(places), doubles(values))),
                List.of(),
                new Frame("", "step", name, false));
    }

    /// @param name shown in the legend
    /// @param values over the places 1, 2, 3, ...
    /// @return this with one line more
    public Chart line(String name, Collection<? extends Number> values) {
        return line(name, places(values.size()), values);
    }

    /// @param name shown in the legend
    /// @param places on the horizontal axis
    /// @param values one a place
    /// @return this with one line more
    public Chart line(
            String name, Collection<? extends Number> places, Collection<? extends Number> values) {
        var more = new ArrayList<>(series);
        more.add(new Series(name, doubles(places), doubles(values)));
        return new Chart(more, marks, frame);
    }

    /// @param at place on the horizontal axis, as a step number
    /// @param text a few words; `lost` makes it red, `back` green
    /// @return this with one mark more
    public Chart mark(double at, String text) {
        var more = new ArrayList<>(marks);
        more.add(new Mark(at, text));
        return new Chart(series, more, frame);
    }

    /// @param title stands above
    /// @return this with that title
    public Chart titled(String title) {
        return new Chart(
                series, marks, new Frame(title, frame.across, frame.up, frame.logarithmic));
    }

    /// @param across name of the horizontal axis
    /// @param up name of the vertical axis
    /// @return this with those names
    public Chart axes(String across, String up) {
        return new Chart(series, marks, new Frame(frame.title, across, up, frame.logarithmic));
    }

    /// @return this with powers of ten on the vertical axis; values of 0 and below are gaps
    public Chart logarithmic() {
        return new Chart(series, marks, new Frame(frame.title, frame.across, frame.up, true));
    }

    /// @return the picture as SVG
    public String svg() {
        return new ChartDrawing(this).svg();
    }

    /// @return picture and text
    public DisplayData display() {
        return DisplayData.text(toString()).and("image/svg+xml", svg());
    }

    @Override
    public String toString() {
        return Sparkline.of(this);
    }

    private static List<Double> places(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList();
    }

    private static List<Double> doubles(Collection<? extends Number> numbers) {
        return numbers.stream().map(Number::doubleValue).toList();
    }
}
