package org.meshbook.kernel.widgets.controls;

import java.util.Map;
import org.meshbook.kernel.widgets.model.Model;
import org.meshbook.kernel.widgets.model.Numeric;

/// A control whose value is a number between two others.
///
/// @param <T> type of the number
/// @param <W> its own type
public abstract sealed class Bounded<T extends Number & Comparable<T>, W extends Bounded<T, W>>
        extends Control<T, W> permits Slider, Meter {
    static final String VALUE = "value";
    static final String MIN = "min";
    static final String MAX = "max";

    private final Numeric<T> numeric;

    Bounded(Numeric<T> numeric, String name, String style, T min, T max) {
        super(Model.Names.control(numeric.word() + name), style, VALUE);
        this.numeric = numeric;
        ordered(numeric.decoded(min), numeric.decoded(max));
        model().put(Map.of(MIN, min, MAX, max, VALUE, min));
    }

    /// @return the lowest value
    public final T min() {
        return numeric.decoded(model().value(MIN));
    }

    /// @return the highest value
    public final T max() {
        return numeric.decoded(model().value(MAX));
    }

    /// @param min the lowest value; a value below it is raised to it
    /// @return this
    public final W min(T min) {
        return between(min, max());
    }

    /// @param max the highest value; a value above it is lowered to it
    /// @return this
    public final W max(T max) {
        return between(min(), max);
    }

    /// @param min the lowest value
    /// @param max the highest value; a value outside is moved to the nearer end
    /// @return this
    /// @throws IllegalArgumentException if the first is above the second
    public final W between(T min, T max) {
        ordered(numeric.decoded(min), numeric.decoded(max));
        var before = value();
        var after = before.compareTo(min) < 0 ? min : before.compareTo(max) > 0 ? max : before;
        model().put(Map.of(MIN, min, MAX, max, VALUE, after));
        if (!after.equals(before)) {
            tell(after);
        }
        return self();
    }

    final Numeric<T> numeric() {
        return numeric;
    }

    static <T extends Comparable<T>> void ordered(T min, T max) {
        if (min.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "bounds from %s to %s hold nothing; give the lower one first"
                            .formatted(min, max));
        }
    }

    @Override
    final Object encoded(T value) {
        return value;
    }

    @Override
    final T decoded(Object raw) {
        return numeric.decoded(raw);
    }

    @Override
    final void check(T value) {
        var number = numeric.decoded(value);
        if (number.compareTo(min()) < 0 || number.compareTo(max()) > 0) {
            throw new IllegalArgumentException(
                    "%s lies outside %s to %s; set the bounds first, with between(min, max)"
                            .formatted(value, min(), max()));
        }
    }

    @Override
    final String content() {
        return super.content() + ", min=" + min() + ", max=" + max();
    }
}
