package org.meshbook.kernel.widgets.model;

import java.util.function.Function;

/// A kind of number that widgets have.
///
/// @param word how the front end's classes of that kind begin
/// @param of from the front end's number
/// @param <T> its type here
public record Numeric<T extends Number & Comparable<T>>(String word, Function<Number, T> of) {
    /// Whole numbers.
    public static final Numeric<Integer> INT = new Numeric<>("Int", Numeric::whole);

    /// Numbers with a fraction.
    public static final Numeric<Double> FLOAT = new Numeric<>("Float", Number::doubleValue);

    /// @param raw what came
    /// @return the number
    /// @throws IllegalArgumentException if it is none
    public T decoded(Object raw) {
        if (raw instanceof Number number && Double.isFinite(number.doubleValue())) {
            return of.apply(number);
        }
        throw new IllegalArgumentException("'" + raw + "' is no number that a widget can show");
    }

    private static int whole(Number number) {
        var value = number.doubleValue();
        if (value != Math.rint(value) || (int) value != value) {
            throw new IllegalArgumentException(number + " is no int");
        }
        return (int) value;
    }
}
