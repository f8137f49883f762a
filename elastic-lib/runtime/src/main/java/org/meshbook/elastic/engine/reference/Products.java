package org.meshbook.elastic.engine.reference;

/// Running sums of products of two arrays' elements, one sum for each element of a result.
sealed interface Products {
    /// Adds `lhs[i] * rhs[j]` to sum `at`.
    void add(int at, int i, int j);

    /// Rounds the sums into the result.
    void store(Elements out);

    static Products of(Elements lhs, Elements rhs, Elements out) {
        return out.isFloat()
                ? new Reals(lhs.reals(), rhs.reals(), new double[out.size()])
                : new Integers(lhs.integers(), rhs.integers(), new long[out.size()]);
    }

    /// In double, for F32 too.
    @SuppressWarnings("ArrayRecordComponent") // local to one operation, never compared
    record Reals(double[] lhs, double[] rhs, double[] sums) implements Products {
        @Override
        public void add(int at, int i, int j) {
            sums[at] += lhs[i] * rhs[j];
        }

        @Override
        public void store(Elements out) {
            out.putAll(sums);
        }
    }

    /// In 64 bits; what wraps in 32 is the low half of it.
    @SuppressWarnings("ArrayRecordComponent") // local to one operation, never compared
    record Integers(long[] lhs, long[] rhs, long[] sums) implements Products {
        @Override
        public void add(int at, int i, int j) {
            sums[at] += lhs[i] * rhs[j];
        }

        @Override
        public void store(Elements out) {
            out.putAll(sums);
        }
    }
}
