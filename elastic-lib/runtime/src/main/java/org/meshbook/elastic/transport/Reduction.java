package org.meshbook.elastic.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.Op.ReduceKind;

/// Combines buffers element by element, always in the order given: the same inputs give the same
/// bits wherever it runs.
///
/// Works block by block in heap arrays, which the JIT compiler vectorises.
final class Reduction {
    private static final int BLOCK = 4096;

    private Reduction() {}

    /// @param kind how to combine
    /// @param dtype element type of all
    /// @param inputs equally long, in order of rank
    /// @param output as long as each input; positions stay
    static void reduce(ReduceKind kind, DType dtype, List<ByteBuffer> inputs, ByteBuffer output) {
        int elements = output.remaining() / dtype.bytes();
        switch (dtype) {
            case F32 -> floats(kind, inputs, output, elements);
            case F64 -> doubles(kind, inputs, output, elements);
            case I32 -> ints(kind, inputs, output, elements);
            case I64 -> longs(kind, inputs, output, elements);
            case BOOL -> truths(kind, inputs, output, elements);
            case BF16, F16 -> narrowFloats(kind, dtype, inputs, output, elements);
            case I8, I16, U8, U16, U32, U64 -> integers(kind, dtype, inputs, output, elements);
        }
    }

    private static ByteBuffer ordered(ByteBuffer buffer) {
        return buffer.duplicate().order(ByteOrder.nativeOrder());
    }

    private static void floats(ReduceKind kind, List<ByteBuffer> in, ByteBuffer out, int count) {
        var views = in.stream().map(b -> ordered(b).asFloatBuffer()).toList();
        var result = ordered(out).asFloatBuffer();
        var a = new float[Math.min(count, BLOCK)];
        var b = new float[Math.min(count, BLOCK)];
        for (int at = 0; at < count; at += BLOCK) {
            int n = Math.min(BLOCK, count - at);
            views.getFirst().get(at, a, 0, n);
            for (var view : views.subList(1, views.size())) {
                view.get(at, b, 0, n);
                switch (kind) {
                    case SUM -> {
                        for (int i = 0; i < n; i++) {
                            a[i] += b[i];
                        }
                    }
                    case PRODUCT -> {
                        for (int i = 0; i < n; i++) {
                            a[i] *= b[i];
                        }
                    }
                    case MAX -> {
                        for (int i = 0; i < n; i++) {
                            a[i] = Math.max(a[i], b[i]);
                        }
                    }
                    case MIN -> {
                        for (int i = 0; i < n; i++) {
                            a[i] = Math.min(a[i], b[i]);
                        }
                    }
                }
            }
            result.put(at, a, 0, n);
        }
    }

    private static void doubles(ReduceKind kind, List<ByteBuffer> in, ByteBuffer out, int count) {
        var views = in.stream().map(b -> ordered(b).asDoubleBuffer()).toList();
        var result = ordered(out).asDoubleBuffer();
        for (int i = 0; i < count; i++) {
            double a = views.getFirst().get(i);
            for (int rank = 1; rank < views.size(); rank++) {
                double b = views.get(rank).get(i);
                a =
                        switch (kind) {
                            case SUM -> a + b;
                            case PRODUCT -> a * b;
                            case MAX -> Math.max(a, b);
                            case MIN -> Math.min(a, b);
                        };
            }
            result.put(i, a);
        }
    }

    private static void ints(ReduceKind kind, List<ByteBuffer> in, ByteBuffer out, int count) {
        var views = in.stream().map(b -> ordered(b).asIntBuffer()).toList();
        var result = ordered(out).asIntBuffer();
        for (int i = 0; i < count; i++) {
            int a = views.getFirst().get(i);
            for (int rank = 1; rank < views.size(); rank++) {
                a = (int) combine(kind, a, views.get(rank).get(i));
            }
            result.put(i, a);
        }
    }

    private static void longs(ReduceKind kind, List<ByteBuffer> in, ByteBuffer out, int count) {
        var views = in.stream().map(b -> ordered(b).asLongBuffer()).toList();
        var result = ordered(out).asLongBuffer();
        for (int i = 0; i < count; i++) {
            long a = views.getFirst().get(i);
            for (int rank = 1; rank < views.size(); rank++) {
                a = combine(kind, a, views.get(rank).get(i));
            }
            result.put(i, a);
        }
    }

    /// Sums of truth values are "any", products "all".
    private static void truths(ReduceKind kind, List<ByteBuffer> in, ByteBuffer out, int count) {
        for (int i = 0; i < count; i++) {
            byte a = in.getFirst().get(in.getFirst().position() + i);
            for (int rank = 1; rank < in.size(); rank++) {
                byte b = in.get(rank).get(in.get(rank).position() + i);
                a =
                        (byte)
                                switch (kind) {
                                    case SUM, MAX -> a | b;
                                    case PRODUCT, MIN -> a & b;
                                };
            }
            out.put(out.position() + i, a);
        }
    }

    /// Each combination is rounded, as the elementwise operation is.
    private static void narrowFloats(
            ReduceKind kind, DType dtype, List<ByteBuffer> in, ByteBuffer out, int count) {
        var views = in.stream().map(b -> ordered(b.slice())).toList();
        var result = ordered(out.slice());
        for (int i = 0; i < count; i++) {
            Encoding.real(result, dtype, i, Encoding.real(views.getFirst(), dtype, i));
            for (var view : views.subList(1, views.size())) {
                double a = Encoding.real(result, dtype, i);
                double b = Encoding.real(view, dtype, i);
                double both =
                        switch (kind) {
                            case SUM -> a + b;
                            case PRODUCT -> a * b;
                            case MAX -> Math.max(a, b);
                            case MIN -> Math.min(a, b);
                        };
                Encoding.real(result, dtype, i, both);
            }
        }
    }

    private static void integers(
            ReduceKind kind, DType dtype, List<ByteBuffer> in, ByteBuffer out, int count) {
        var views = in.stream().map(b -> ordered(b.slice())).toList();
        var result = ordered(out.slice());
        boolean wide = dtype == DType.U64;
        for (int i = 0; i < count; i++) {
            long a = Encoding.integer(views.getFirst(), dtype, i);
            for (var view : views.subList(1, views.size())) {
                long b = Encoding.integer(view, dtype, i);
                // Unsigned order is signed order with the highest bit turned over.
                long turned = wide ? Long.MIN_VALUE : 0;
                a =
                        switch (kind) {
                            case SUM, PRODUCT -> combine(kind, a, b);
                            case MAX, MIN -> combine(kind, a ^ turned, b ^ turned) ^ turned;
                        };
            }
            Encoding.integer(result, dtype, i, a);
        }
    }

    private static long combine(ReduceKind kind, long a, long b) {
        return switch (kind) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MAX -> Math.max(a, b);
            case MIN -> Math.min(a, b);
        };
    }
}
