package org.meshbook.elastic.array;

import java.util.Locale;

/// Shows an array's content compactly: long dimensions are cut to three elements at each end.
final class Printing {
    private static final int WHOLE = 1000;
    private static final int EDGE = 3;

    private final HostArray array;
    private final boolean cut;
    private final StringBuilder text = new StringBuilder();

    private Printing(HostArray array) {
        this.array = array;
        this.cut = array.type().shape().size() > WHOLE;
    }

    static String of(HostArray array) {
        var printing = new Printing(array);
        printing.level(0, 0);
        return array.type() + " " + printing.text;
    }

    private void level(int dim, long offset) {
        var shape = array.type().shape();
        if (dim == shape.rank()) {
            text.append(element(Math.toIntExact(offset)));
            return;
        }
        int size = shape.dim(dim);
        text.append('[');
        for (int i = 0; i < size; i++) {
            if (i > 0) {
                text.append(dim + 1 < shape.rank() ? ",\n" + " ".repeat(dim + 1) : ", ");
            }
            if (cut && size > 2 * EDGE && i == EDGE) {
                text.append("...");
                i = size - EDGE - 1;
                continue;
            }
            level(dim + 1, offset * size + i);
        }
        text.append(']');
    }

    private String element(int i) {
        var dtype = array.type().dtype();
        if (dtype.isFloat()) {
            return real(array.get(i));
        }
        long value = Encoding.integer(array.bytes(), dtype, i);
        return switch (dtype) {
            case BOOL -> value == 0 ? "false" : "true";
            case U64 -> Long.toUnsignedString(value);
            default -> Long.toString(value);
        };
    }

    /// At most six significant digits, no trailing zeros.
    private static String real(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(value);
        if (size != 0 && (size < 1e-4 || size >= 1e6)) {
            return String.format(Locale.ROOT, "%.5e", value);
        }
        int digits = size < 1 ? 6 : Math.max(0, 5 - (int) Math.floor(Math.log10(size)));
        var full = String.format(Locale.ROOT, "%." + digits + "f", value);
        return full.contains(".")
                ? full.replaceAll("0+$", "").replaceAll("\\.$", ".0")
                : full + ".0";
    }
}
