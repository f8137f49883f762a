package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Mesh;

/// Partitions operations that hold functions: each device runs the loop on its shards.
///
/// What is carried keeps one cut from step to step: its own, or that which the body gives to what
/// came in whole. Devices cannot speak to each other inside a loop. Sums over devices that are only
/// added up from step to step wait until the loop is over ([LoopSums]); where a body needs any
/// other exchange, or its cuts never settle, all operands are gathered and each device computes the
/// whole.
final class FlowPartition {
    private static final int ROUNDS = 4;

    private final LocalGraph local;
    private final Mesh mesh;

    FlowPartition(LocalGraph local, Mesh mesh) {
        this.local = local;
        this.mesh = mesh;
    }

    /// @return all results
    List<Piece> of(Op op, List<Piece> in) {
        return cut(op, in)
                .or(() -> cut(op, in.stream().map(this::gathered).toList()))
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "devices cannot speak to each other inside a loop or a cond"
                                                + " (%s); write the loop in Java, or call psum and"
                                                + " its like after it",
                                        op));
    }

    private Piece gathered(Piece x) {
        for (int dim = 0; dim < x.cuts().size(); dim++) {
            x = local.gather(x, dim);
        }
        return x;
    }

    private Optional<List<Piece>> cut(Op op, List<Piece> in) {
        return switch (op) {
            case Op.Cond cond -> cond(cond, in);
            case Op.While loop -> loop(loop, in);
            case Op.Scan scan -> scan(scan, in);
            default -> throw new IllegalArgumentException("no function in " + op);
        };
    }

    private Optional<List<Piece>> cond(Op.Cond cond, List<Piece> in) {
        var cuts = in.stream().skip(1).map(Piece::cuts).toList();
        var yes = Partitioner.partition(Graph.of(cond.onTrue()), mesh, cuts);
        var no = Partitioner.partition(Graph.of(cond.onFalse()), mesh, cuts);
        if (speaks(yes.graph()) || speaks(no.graph()) || !yes.outputs().equals(no.outputs())) {
            return Optional.empty();
        }
        return Optional.of(local.addAll(new Op.Cond(yes.graph(), no.graph()), yes.outputs(), in));
    }

    private Optional<List<Piece>> loop(Op.While loop, List<Piece> in) {
        int consts = loop.consts();
        var settled = settled(Graph.of(loop.body()), in, consts, in.size() - consts);
        if (settled.isEmpty()) {
            return Optional.empty();
        }
        var cuts = settled.get().inputs();
        var cond = Partitioner.partition(Graph.of(loop.cond()), mesh, cuts);
        if (speaks(cond.graph()) || speaks(settled.get().body().graph())) {
            return Optional.empty();
        }
        var op = new Op.While(cond.graph(), settled.get().body().graph(), consts);
        return Optional.of(local.addAll(op, cuts.subList(consts, cuts.size()), recut(in, cuts)));
    }

    private Optional<List<Piece>> scan(Op.Scan scan, List<Piece> in) {
        // 1. elements: steps are whole, a step's cuts are the rest
        int first = scan.consts() + scan.carries();
        var whole = new ArrayList<>(in);
        var step = new ArrayList<Piece>();
        for (int i = 0; i < in.size(); i++) {
            if (i >= first) {
                whole.set(i, local.gather(in.get(i), 0));
            }
            var x = whole.get(i);
            var cuts = i < first ? x.cuts() : x.cuts().subList(1, x.cuts().size());
            step.add(new Piece(x.value(), x.type(), cuts));
        }
        // 2. the body
        var settled = settled(Graph.of(scan.body()), step, scan.consts(), scan.carries());
        if (settled.isEmpty()) {
            return Optional.empty();
        }
        var sums = LoopSums.of(settled.get().body().graph(), scan.consts(), scan.carries());
        if (speaks(sums.body())) {
            return Optional.empty();
        }
        // 3. the loop, then the sums
        var operands = new ArrayList<>(whole);
        for (int i = 0; i < first; i++) {
            operands.set(i, local.recut(whole.get(i), settled.get().inputs().get(i)));
        }
        var starts = sums.starts(local, operands, scan.consts());
        var outputs = new ArrayList<List<List<String>>>();
        for (int i = 0; i < settled.get().body().outputs().size(); i++) {
            var cuts = new ArrayList<>(settled.get().body().outputs().get(i));
            if (i >= scan.carries()) {
                cuts.addFirst(List.of());
            }
            outputs.add(cuts);
        }
        var op =
                new Op.Scan(
                        sums.body(), scan.length(), scan.consts(), scan.carries(), scan.reverse());
        var made = local.addAll(op, outputs, starts);
        return Optional.of(sums.ends(local, made, operands, scan.consts()));
    }

    /// A body whose carry comes out cut as it goes in.
    ///
    /// @param inputs cuts of what it takes
    private record Settled(List<List<List<String>>> inputs, Partitioned body) {}

    private Optional<Settled> settled(Graph body, List<Piece> in, int consts, int carries) {
        var cuts = new ArrayList<>(in.stream().map(Piece::cuts).toList());
        for (int round = 0; round < ROUNDS; round++) {
            var made = Partitioner.partition(body, mesh, cuts);
            boolean same = true;
            for (int i = 0; i < carries; i++) {
                var before = cuts.get(consts + i);
                var after = made.outputs().get(i);
                same &= before.equals(after);
                cuts.set(consts + i, round == 0 ? either(before, after) : common(before, after));
            }
            if (same) {
                return Optional.of(new Settled(cuts, made));
            }
        }
        return Optional.empty();
    }

    /// Cuts a dimension where one does, if its axes are free.
    private static List<List<String>> either(List<List<String>> a, List<List<String>> b) {
        return a.isEmpty() ? a : Cuts.merge(Arrays.asList(a, b));
    }

    private static List<List<String>> common(List<List<String>> a, List<List<String>> b) {
        var cuts = new ArrayList<List<String>>();
        for (int dim = 0; dim < a.size(); dim++) {
            cuts.add(a.get(dim).equals(b.get(dim)) ? a.get(dim) : List.of());
        }
        return cuts;
    }

    private List<Piece> recut(List<Piece> in, List<List<List<String>>> cuts) {
        var all = new ArrayList<Piece>();
        for (int i = 0; i < in.size(); i++) {
            all.add(local.recut(in.get(i), cuts.get(i)));
        }
        return all;
    }

    static boolean speaks(Graph graph) {
        return graph.nodes().stream().anyMatch(node -> node.op().isCollective());
    }
}
