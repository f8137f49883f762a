package org.meshbook.kernel.widgets.controls;

/// How far a slider moves at once, and how many digits that needs.
final class Steps {
    private static final int MOST_DIGITS = 6;

    private Steps() {}

    /// @return a power of ten: about a hundredth of the way
    static double between(double min, double max) {
        var way = max - min;
        return way > 0 && Double.isFinite(way)
                ? Math.pow(10, Math.floor(Math.log10(way / 50)))
                : 0.1;
    }

    static void check(Number step) {
        if (!(step.doubleValue() > 0) || !Double.isFinite(step.doubleValue())) {
            throw new IllegalArgumentException(
                    "a step of %s goes nowhere; give one above 0".formatted(step));
        }
    }

    /// @return d3's format of values that far apart
    static String format(double step) {
        var digits = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
        return digits > MOST_DIGITS ? ".3e" : "." + digits + "f";
    }
}
