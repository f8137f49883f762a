package org.meshbook.kernel.widgets.controls;

import org.meshbook.kernel.widgets.model.Numeric;

/// A number, by a handle on a line. It starts at its lowest value.
///
/// @param <T> Integer or Double
public final class Slider<T extends Number & Comparable<T>> extends Bounded<T, Slider<T>> {
    private Slider(Numeric<T> numeric, T min, T max) {
        super(numeric, "Slider", "SliderStyle", min, max);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @return a slider of whole numbers
    public static Slider<Integer> of(int min, int max) {
        return new Slider<>(Numeric.INT, min, max);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @return a slider of numbers with a fraction, in about a hundred steps
    public static Slider<Double> of(double min, double max) {
        var slider = new Slider<>(Numeric.FLOAT, min, max);
        return slider.step(Steps.between(min, max));
    }

    /// @param step between two values of the handle; above 0
    /// @return this
    public Slider<T> step(T step) {
        Steps.check(step);
        model().put("step", step);
        if (step instanceof Double size) {
            model().put("readout_format", Steps.format(size));
        }
        return this;
    }

    /// @param live whether every place of a moving handle is a value; else only the last
    /// @return this
    public Slider<T> continuous(boolean live) {
        model().put("continuous_update", live);
        return this;
    }

    /// @return this, upright
    public Slider<T> vertical() {
        model().put("orientation", "vertical");
        return this;
    }

    @Override
    Slider<T> self() {
        return this;
    }
}
