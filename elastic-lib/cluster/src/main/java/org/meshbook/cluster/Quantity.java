package org.meshbook.cluster;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/// An amount of a resource as Kubernetes writes it: `100m`, `1.5`, `800Mi`, `1e3`.
///
/// Exact to a billionth; what is finer is rounded away from zero. At most 2^63-1. Written in its
/// canonical form: no fraction, the largest suffix that keeps it whole, in the family of suffixes
/// in which it was read. Two quantities are equal if their amounts are, however they are written.
///
/// @param amount the amount itself
/// @param form the family of suffixes in which it is written
public record Quantity(BigDecimal amount, Form form) implements Comparable<Quantity> {
    private static final String SYNTAX =
            "quantities must match the regular expression"
                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    private static final String SUFFIX = "unable to parse quantity's suffix";

    private static final List<String> DECIMAL =
            List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal KI = BigDecimal.valueOf(1024);
    private static final int NANO = 9;

    /// Beyond this power of ten every amount is the largest or the smallest there is.
    private static final int FARTHEST = 1000;

    /// Nothing.
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Form.DECIMAL);

    /// The three ways to write a quantity.
    public enum Form {
        /// `m`, `k`, `M`, ...
        DECIMAL,
        /// `Ki`, `Mi`, `Gi`, ...
        BINARY,
        /// `e3`, `e6`, ...
        EXPONENT
    }

    public Quantity {
        if (amount.scale() > NANO) {
            amount = amount.setScale(NANO, RoundingMode.UP);
        }
        amount = amount.min(MOST).max(MOST.negate());
    }

    /// @param units whole units, such as cores or chips
    /// @return that many
    public static Quantity units(long units) {
        return new Quantity(BigDecimal.valueOf(units), Form.DECIMAL);
    }

    /// @param thousandths thousandths of a unit, such as millicores
    /// @return that many
    public static Quantity milli(long thousandths) {
        return new Quantity(BigDecimal.valueOf(thousandths, 3), Form.DECIMAL);
    }

    /// @param bytes bytes, to be written as `Ki`, `Mi`, ...
    /// @return that many
    public static Quantity bytes(long bytes) {
        return new Quantity(BigDecimal.valueOf(bytes), Form.BINARY);
    }

    /// @param text a quantity as written in a manifest
    /// @return it
    /// @throws NumberFormatException with the API server's own text, if it is none
    public static Quantity parse(String text) {
        if (text.isEmpty()) {
            throw new NumberFormatException(SYNTAX);
        }
        int at = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
        int point = digits(text, at);
        int end =
                point < text.length() && text.charAt(point) == '.'
                        ? digits(text, point + 1)
                        : point;
        var suffix = suffix(text, end);
        var number = number(text.substring(at, end), text.charAt(0) == '-');
        int binary = BINARY.indexOf(suffix);
        if (binary > 0) {
            var value = number.multiply(KI.pow(binary));
            boolean tiny = value.signum() != 0 && value.abs().compareTo(BigDecimal.ONE) < 0;
            return new Quantity(value, tiny ? Form.DECIMAL : Form.BINARY);
        }
        int decimal = DECIMAL.indexOf(suffix);
        if (decimal >= 0) {
            return new Quantity(number.scaleByPowerOfTen(3 * decimal - NANO), Form.DECIMAL);
        }
        return new Quantity(number.scaleByPowerOfTen(exponent(suffix)), Form.EXPONENT);
    }

    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private static String suffix(String text, int from) {
        int at = from;
        while (at < text.length() && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
            at++;
        }
        if (digits(text, at) < text.length()) {
            throw new NumberFormatException(SYNTAX);
        }
        return text.substring(from);
    }

    /// The server takes a number without any digit for zero.
    private static BigDecimal number(String digits, boolean negative) {
        if (digits.isEmpty() || digits.equals(".")) {
            return BigDecimal.ZERO;
        }
        var number = new BigDecimal(digits);
        return negative ? number.negate() : number;
    }

    private static int exponent(String suffix) {
        if (suffix.length() < 2 || Character.toLowerCase(suffix.charAt(0)) != 'e') {
            throw new NumberFormatException(SUFFIX);
        }
        try {
            var power = new BigInteger(suffix.substring(1));
            return power.min(BigInteger.valueOf(FARTHEST))
                    .max(BigInteger.valueOf(-FARTHEST))
                    .intValue();
        } catch (NumberFormatException e) {
            throw new NumberFormatException(SUFFIX);
        }
    }

    /// @param other what to add
    /// @return the sum
    public Quantity plus(Quantity other) {
        return new Quantity(amount.add(other.amount), formWith(other));
    }

    /// @param other what to take away
    /// @return the difference
    public Quantity minus(Quantity other) {
        return new Quantity(amount.subtract(other.amount), formWith(other));
    }

    /// @param count how often
    /// @return that many times this
    public Quantity times(int count) {
        return new Quantity(amount.multiply(BigDecimal.valueOf(count)), form);
    }

    private Form formWith(Quantity other) {
        return amount.signum() == 0 ? other.form : form;
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    /// @return whole units, rounded away from zero
    public long units() {
        return amount.setScale(0, RoundingMode.UP).longValueExact();
    }

    /// @return thousandths, rounded away from zero; the largest long if there are more
    public long milli() {
        var thousandths = amount.movePointRight(3).setScale(0, RoundingMode.UP);
        return thousandths.min(MOST).max(MOST.negate()).longValueExact();
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity q && compareTo(q) == 0;
    }

    @Override
    public int hashCode() {
        return amount.stripTrailingZeros().hashCode();
    }

    /// @return its canonical form
    @Override
    public String toString() {
        if (isZero()) {
            return "0";
        }
        var plain = amount.stripTrailingZeros();
        boolean binary =
                form == Form.BINARY && plain.scale() <= 0 && amount.abs().compareTo(KI) >= 0;
        return binary ? binary(plain.toBigIntegerExact()) : decimal(plain);
    }

    private static String binary(BigInteger value) {
        int powers = Math.min(value.getLowestSetBit() / 10, BINARY.size() - 1);
        return value.shiftRight(10 * powers) + BINARY.get(powers);
    }

    private String decimal(BigDecimal plain) {
        int power = Math.floorDiv(-plain.scale(), 3);
        var digits = plain.movePointLeft(3 * power).toBigIntegerExact();
        if (form == Form.EXPONENT) {
            return digits + (power == 0 ? "" : "e" + 3 * power);
        }
        return digits + DECIMAL.get(power + 3);
    }
}
