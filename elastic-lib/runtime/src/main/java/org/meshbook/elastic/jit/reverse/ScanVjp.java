package org.meshbook.elastic.jit.reverse;

import static org.meshbook.elastic.jit.reverse.FlowVjp.joined;
import static org.meshbook.elastic.jit.reverse.Moving.chosen;
import static org.meshbook.elastic.jit.reverse.Moving.part;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.trace.Trace;

/// A scan forward, which stacks each step's residuals, and the scan the other way that goes back
/// over them.
///
/// Constants and elements are still there on the way back and are not stacked. Source: JAX's `scan`
/// in `jax/_src/lax/control_flow/loops.py`.
final class ScanVjp {
    private final Trace trace;
    private final Op.Scan scan;
    private final List<Array> in;
    private final boolean[] moving;
    private final boolean[] moved;
    private final int first;
    private final Split split;

    ScanVjp(Trace trace, Op.Scan scan, List<Array> in, boolean[] moving, boolean[] moved) {
        this.trace = trace;
        this.scan = scan;
        this.in = in;
        this.moved = moved;
        this.first = scan.consts() + scan.carries();
        // A carry that moves at any step is followed from the first one on.
        this.moving = moving.clone();
        System.arraycopy(moved, 0, this.moving, scan.consts(), scan.carries());
        var later = new boolean[in.size()];
        var steady = new boolean[in.size()];
        for (int i = 0; i < later.length; i++) {
            later[i] = i < scan.consts() || i >= first;
            steady[i] = i < scan.consts();
        }
        this.split = Split.of(Graph.of(scan.body()), this.moving, moved, later, steady);
    }

    FlowVjp forward() {
        var op =
                new Op.Scan(
                        split.forward(),
                        scan.length(),
                        scan.consts(),
                        scan.carries(),
                        scan.reverse());
        var made = trace.applyAll(op, in);
        var residuals = made.subList(moved.length, made.size());
        return new FlowVjp(
                made.subList(0, moved.length), cotangents -> back(made, residuals, cotangents));
    }

    private List<Optional<Array>> back(
            List<Array> made, List<Array> residuals, List<Optional<Array>> cotangents) {
        // 1. operands: kept constants; cotangents of the carry, sums for the constants; then what
        // each step takes
        var consts = kept(0, scan.consts());
        var elements = kept(first, in.size());
        var given = FlowVjp.given(trace, cotangents, made, moved);
        int carried = chosen(made, part(moved, 0, scan.carries())).size();
        var sums =
                Moving.<Array>chosen(in, part(moving, 0, scan.consts())).stream()
                        .map(x -> trace.fill(x.type(), 0))
                        .toList();
        var operands =
                joined(
                        consts,
                        given.subList(0, carried),
                        sums,
                        elements,
                        residuals,
                        given.subList(carried, given.size()));
        // 2. the other way
        int state = carried + sums.size();
        var body = body(operands, consts.size(), carried, sums.size(), elements.size());
        var op = new Op.Scan(body, scan.length(), consts.size(), state, !scan.reverse());
        var out = trace.applyAll(op, operands);
        // 3. in the order of the operands
        return FlowVjp.spread(
                joined(
                        out.subList(carried, state),
                        out.subList(0, carried),
                        out.subList(state, out.size())),
                moving);
    }

    private List<Array> kept(int from, int to) {
        return split.kept().stream()
                .filter(number -> number >= from && number < to)
                .map(in::get)
                .toList();
    }

    /// One step back: the cotangent of the carry before it, sums grown by its part.
    private Graph body(List<Array> operands, int consts, int carried, int sums, int elements) {
        int state = consts + carried + sums;
        var types = new ArrayList<ArrayType>();
        for (int i = 0; i < operands.size(); i++) {
            var type = operands.get(i).type();
            types.add(i < state ? type : new ArrayType(type.dtype(), type.shape().tail()));
        }
        return Trace.of(
                        split.backward().name(),
                        types,
                        all -> {
                            int stacked = state + elements;
                            int kept = split.residuals().size();
                            var taken =
                                    joined(
                                            all.subList(0, consts),
                                            all.subList(state, stacked + kept),
                                            all.subList(consts, consts + carried),
                                            all.subList(stacked + kept, all.size()));
                            var parts = Trace.current().call(split.backward(), taken);
                            var grown =
                                    IntStream.range(0, sums)
                                            .mapToObj(
                                                    i ->
                                                            all.get(consts + carried + i)
                                                                    .add(parts.get(i)))
                                            .toList();
                            return joined(
                                    parts.subList(sums, sums + carried),
                                    grown,
                                    parts.subList(sums + carried, parts.size()));
                        })
                .graph();
    }
}
