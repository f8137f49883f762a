package org.meshbook.elastic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import org.meshbook.elastic.array.HostArray;

/// How near two engines' results must be: integers and truth values equal; F64 within 1e-12 and F32
/// within 4e-6 of the larger of 1 and the value, BF16 and F16 within their last bit of it; NaN and
/// infinities alike.
public final class Same {
    private Same() {}

    public static void values(HostArray found, HostArray wanted) {
        assertThat(found.type()).isEqualTo(wanted.type());
        double tolerance =
                switch (wanted.type().dtype()) {
                    case F32 -> 4e-6;
                    case F64 -> 1e-12;
                    // One last bit: rounded from an F32 that may differ in its own.
                    case BF16 -> 8e-3;
                    case F16 -> 1e-3;
                    case I32, I64, BOOL, I8, I16, U8, U16, U32, U64 -> 0;
                };
        values(found, wanted, tolerance);
    }

    public static void values(HostArray found, HostArray wanted, double tolerance) {
        if (!wanted.type().dtype().isFloat()) {
            if (!found.bytes().equals(wanted.bytes())) {
                fail("%s is not %s", text(found), text(wanted));
            }
            return;
        }
        for (int i = 0; i < wanted.type().shape().size(); i++) {
            double x = found.get(i);
            double y = wanted.get(i);
            boolean same =
                    Double.isNaN(y) || Double.isInfinite(y)
                            ? Double.compare(x, y) == 0
                            : Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y));
            if (!same) {
                fail("element %d of %s is %s, not %s", i, wanted.type(), x, y);
            }
        }
    }

    private static String text(HostArray array) {
        return array.type() + " " + Arrays.toString(Given.values(array));
    }
}
