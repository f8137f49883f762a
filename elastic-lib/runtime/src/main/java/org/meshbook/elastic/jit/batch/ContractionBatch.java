package org.meshbook.elastic.jit.batch;

import static org.meshbook.elastic.jit.batch.BatchRule.before;
import static org.meshbook.elastic.jit.batch.BatchRule.moved;
import static org.meshbook.elastic.jit.batch.BatchRule.reshaped;
import static org.meshbook.elastic.jit.batch.BatchRule.up;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.jit.trace.Trace;

/// Products for many examples: one more batch dimension if both operands differ between examples,
/// one more free dimension if one does.
record ContractionBatch(Trace trace, List<Array> in, boolean[] mapped, int size) {

    Array dot(Op.DotGeneral dot) {
        boolean left = mapped[0];
        boolean right = mapped[1];
        boolean both = left && right;
        var lhsBatch = left ? up(dot.lhsBatch()) : dot.lhsBatch();
        var rhsBatch = right ? up(dot.rhsBatch()) : dot.rhsBatch();
        var op =
                new Op.DotGeneral(
                        both ? before(0, lhsBatch) : lhsBatch,
                        both ? before(0, rhsBatch) : rhsBatch,
                        left ? up(dot.lhsContract()) : dot.lhsContract(),
                        right ? up(dot.rhsContract()) : dot.rhsContract());
        var product = trace.apply(op, in);
        int batches = dot.lhsBatch().size();
        int lhsFree = in.get(0).shape().rank() - batches - dot.lhsContract().size();
        return both ? product : moved(trace, product, left ? batches : batches + lhsFree, 0);
    }

    Array convolution(Op.Convolution conv) {
        if (mapped[0] && mapped[1]) {
            return eachAlone(conv);
        }
        return mapped[0] ? morePictures(conv) : moreFeatures(conv);
    }

    /// Examples and pictures are one dimension for the kernel.
    private Array morePictures(Op.Convolution conv) {
        var dims = in.get(0).shape().dims();
        var flat = new ArrayList<>(dims.subList(1, dims.size()));
        flat.set(0, dims.get(0) * dims.get(1));
        var made = trace.apply(conv, List.of(reshaped(trace, in.get(0), flat), in.get(1)));
        var back = new ArrayList<>(made.shape().dims());
        back.set(0, dims.get(1));
        return reshaped(trace, made, before(size, back));
    }

    /// Kernels of all examples side by side.
    private Array moreFeatures(Op.Convolution conv) {
        int rank = in.get(0).shape().rank();
        var kernels = moved(trace, in.get(1), 0, rank - 1);
        var dims = new ArrayList<>(kernels.shape().dims());
        int features = dims.removeLast();
        dims.set(rank - 1, size * features);
        var made = trace.apply(conv, List.of(in.get(0), reshaped(trace, kernels, dims)));
        var back = new ArrayList<>(made.shape().dims());
        back.set(rank - 1, size);
        back.add(features);
        return moved(trace, reshaped(trace, made, back), rank - 1, 0);
    }

    /// One convolution an example: there are no grouped ones.
    private Array eachAlone(Op.Convolution conv) {
        var made =
                IntStream.range(0, size)
                        .mapToObj(
                                i -> {
                                    var x = in.get(0).at(i);
                                    var kernel = in.get(1).at(i);
                                    return trace.apply(conv, List.of(x, kernel));
                                })
                        .toList();
        return Array.stack(0, made);
    }
}
