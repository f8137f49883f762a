package org.meshbook.kernel.widgets.controls;

import java.util.List;
import java.util.Map;
import org.meshbook.kernel.widgets.model.Model;
import org.meshbook.kernel.widgets.model.Numeric;

/// Two numbers, by two handles on a line. It starts with all of it.
///
/// @param <T> Integer or Double
public final class RangeSlider<T extends Number & Comparable<T>>
        extends Control<RangeSlider.Range<T>, RangeSlider<T>> {
    private final Numeric<T> numeric;
    private final Range<T> bounds;

    /// A part of a line.
    ///
    /// @param low where it begins
    /// @param high where it ends
    /// @param <T> Integer or Double
    public record Range<T extends Number & Comparable<T>>(T low, T high) {
        public Range {
            Bounded.ordered(low, high);
        }

        @Override
        public String toString() {
            return low + " to " + high;
        }
    }

    private RangeSlider(Numeric<T> numeric, T min, T max) {
        super(Model.Names.control(numeric.word() + "RangeSlider"), "SliderStyle", Bounded.VALUE);
        this.numeric = numeric;
        bounds = new Range<>(numeric.decoded(min), numeric.decoded(max));
        model().put(Map.of(Bounded.MIN, min, Bounded.MAX, max));
        begin(bounds);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @return a slider over whole numbers
    public static RangeSlider<Integer> of(int min, int max) {
        return new RangeSlider<>(Numeric.INT, min, max);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @return a slider over numbers with a fraction
    public static RangeSlider<Double> of(double min, double max) {
        var slider = new RangeSlider<>(Numeric.FLOAT, min, max);
        return slider.step(Steps.between(min, max));
    }

    /// @param low where the range begins
    /// @param high where it ends
    /// @return this
    public RangeSlider<T> at(T low, T high) {
        return at(new Range<>(low, high));
    }

    /// @param step between two values of a handle; above 0
    /// @return this
    public RangeSlider<T> step(T step) {
        Steps.check(step);
        model().put("step", step);
        if (step instanceof Double size) {
            model().put("readout_format", Steps.format(size));
        }
        return this;
    }

    @Override
    Object encoded(Range<T> value) {
        return List.of(value.low(), value.high());
    }

    @Override
    Range<T> decoded(Object raw) {
        if (raw instanceof List<?> list
                && list.size() == 2
                && list.getFirst() instanceof Number low
                && list.getLast() instanceof Number high) {
            return new Range<>(numeric.decoded(low), numeric.decoded(high));
        }
        throw new IllegalArgumentException("'" + raw + "' is no range");
    }

    @Override
    void check(Range<T> value) {
        if (numeric.decoded(value.low()).compareTo(bounds.low()) < 0
                || numeric.decoded(value.high()).compareTo(bounds.high()) > 0) {
            throw new IllegalArgumentException(
                    "%s lies outside %s; make a slider with wider bounds".formatted(value, bounds));
        }
    }

    @Override
    String content() {
        return super.content() + ", min=" + bounds.low() + ", max=" + bounds.high();
    }

    @Override
    RangeSlider<T> self() {
        return this;
    }
}
