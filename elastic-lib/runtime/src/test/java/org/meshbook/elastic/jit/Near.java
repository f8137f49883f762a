package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;

import org.meshbook.elastic.array.Array;

/// Compares numbers up to rounding.
public final class Near {
    private Near() {}

    public static void assertNear(String what, Array found, Array wanted, double tolerance) {
        assertThat(found.type()).as(what).isEqualTo(wanted.type());
        var f = found.toHost().doubles();
        var w = wanted.toHost().doubles();
        for (int i = 0; i < f.length; i++) {
            double allowed = tolerance * Math.max(1, Math.abs(w[i]));
            boolean same = Double.compare(f[i], w[i]) == 0 || Math.abs(f[i] - w[i]) <= allowed;
            assertThat(same).as("%s: element %d is %s, wanted %s", what, i, f[i], w[i]).isTrue();
        }
    }
}
