package org.meshbook.kernel.widgets.controls;

import java.util.List;
import org.meshbook.kernel.widgets.model.Numeric;

/// A number as a bar that fills: a progress bar, moved by Java alone.
///
/// @param <T> Integer or Double
public final class Meter<T extends Number & Comparable<T>> extends Bounded<T, Meter<T>> {
    private static final List<String> LOOKS = List.of("", "success", "info", "warning", "danger");

    private Meter(Numeric<T> numeric, T min, T max) {
        super(numeric, "Progress", "ProgressStyle", min, max);
    }

    /// @param min where it is empty
    /// @param max where it is full
    /// @return a bar of whole numbers
    public static Meter<Integer> of(int min, int max) {
        return new Meter<>(Numeric.INT, min, max);
    }

    /// @param min where it is empty
    /// @param max where it is full
    /// @return a bar of numbers with a fraction
    public static Meter<Double> of(double min, double max) {
        return new Meter<>(Numeric.FLOAT, min, max);
    }

    /// @param look success, info, warning, danger, or empty
    /// @return this
    public Meter<T> look(String look) {
        model().put("bar_style", Looks.one(look, LOOKS));
        return this;
    }

    @Override
    Meter<T> self() {
        return this;
    }
}
