package org.meshbook.kernel.widgets.controls;

import org.meshbook.kernel.widgets.model.Model;
import org.meshbook.kernel.widgets.model.Numeric;

/// A number that is typed.
///
/// @param <T> Integer or Double
public final class NumberField<T extends Number & Comparable<T>>
        extends Control<T, NumberField<T>> {
    private final Numeric<T> numeric;

    private NumberField(Numeric<T> numeric, T value) {
        super(Model.Names.control(numeric.word() + "Text"), "DescriptionStyle", "value");
        this.numeric = numeric;
        begin(numeric.decoded(value));
    }

    /// @param value the first number
    /// @return a field for whole numbers
    public static NumberField<Integer> of(int value) {
        return new NumberField<>(Numeric.INT, value);
    }

    /// @param value the first number
    /// @return a field for numbers with a fraction
    public static NumberField<Double> of(double value) {
        return new NumberField<>(Numeric.FLOAT, value);
    }

    @Override
    Object encoded(T value) {
        return value;
    }

    @Override
    T decoded(Object raw) {
        return numeric.decoded(raw);
    }

    @Override
    void check(T value) {
        var unused = numeric.decoded(value);
    }

    @Override
    NumberField<T> self() {
        return this;
    }
}
