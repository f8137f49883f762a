package org.meshbook.elastic.engine.reference;

import java.util.List;
import org.meshbook.elastic.array.Op;

/// Operations that only move elements: each is two strided walks, one over the operand and one over
/// the result.
final class Movement {
    private Movement() {}

    static void copy(Elements in, Elements out) {
        for (int i = 0; i < out.size(); i++) {
            out.copy(i, in, i);
        }
    }

    static void iota(int dim, Elements out) {
        int below = Strides.of(out.type().shape())[dim];
        int count = out.type().shape().dim(dim);
        for (int i = 0; i < out.size(); i++) {
            int value = i / below % count;
            if (out.isFloat()) {
                out.real(i, value);
            } else {
                out.integer(i, value);
            }
        }
    }

    static void broadcast(List<Integer> dims, Elements in, Elements out) {
        var strides = new int[out.type().shape().rank()];
        var own = Strides.of(in.type().shape());
        for (int d = 0; d < own.length; d++) {
            strides[dims.get(d)] = in.type().shape().dim(d) == 1 ? 0 : own[d];
        }
        gather(in, 0, strides, out);
    }

    static void transpose(List<Integer> permutation, Elements in, Elements out) {
        gather(in, 0, Strides.pick(Strides.of(in.type().shape()), permutation), out);
    }

    static void slice(Op.Slice slice, Elements in, Elements out) {
        var strides = Strides.of(in.type().shape());
        int start = 0;
        for (int d = 0; d < strides.length; d++) {
            start += slice.start().get(d) * strides[d];
            strides[d] *= slice.stride().get(d);
        }
        gather(in, start, strides, out);
    }

    static void reverse(List<Integer> dims, Elements in, Elements out) {
        var strides = Strides.of(in.type().shape());
        int start = 0;
        for (int d : dims) {
            start += (in.type().shape().dim(d) - 1) * strides[d];
            strides[d] = -strides[d];
        }
        gather(in, start, strides, out);
    }

    static void pad(Op.Pad pad, Elements in, Elements value, Elements out) {
        for (int i = 0; i < out.size(); i++) {
            out.copy(i, value, 0);
        }
        var from = Strides.of(in.type().shape());
        var to = Strides.of(out.type().shape());
        var dims = new int[from.length];
        int fromStart = 0;
        int toStart = 0;
        for (int d = 0; d < dims.length; d++) {
            // Element i of the operand lands at low + i * step; negative padding cuts i's range.
            int step = pad.interior().get(d) + 1;
            int low = pad.low().get(d);
            int first = low >= 0 ? 0 : Math.ceilDiv(-low, step);
            int room = out.type().shape().dim(d) - 1 - low;
            int last = Math.min(in.type().shape().dim(d) - 1, Math.floorDiv(room, step));
            dims[d] = Math.max(0, last - first + 1);
            fromStart += first * from[d];
            toStart += (low + first * step) * to[d];
            to[d] *= step;
        }
        move(in, Strides.offsets(dims, from, fromStart), out, Strides.offsets(dims, to, toStart));
    }

    static void concatenate(int dim, List<Elements> in, Elements out) {
        var to = Strides.of(out.type().shape());
        int start = 0;
        for (var part : in) {
            var dims = part.type().shape().toArray();
            var from = Strides.of(part.type().shape());
            move(part, Strides.offsets(dims, from, 0), out, Strides.offsets(dims, to, start));
            start += dims[dim] * to[dim];
        }
    }

    private static void gather(Elements in, int start, int[] strides, Elements out) {
        var offsets = Strides.offsets(out.type().shape().toArray(), strides, start);
        for (int i = 0; i < offsets.length; i++) {
            out.copy(i, in, offsets[i]);
        }
    }

    private static void move(Elements in, int[] from, Elements out, int[] to) {
        for (int i = 0; i < from.length; i++) {
            out.copy(to[i], in, from[i]);
        }
    }
}
