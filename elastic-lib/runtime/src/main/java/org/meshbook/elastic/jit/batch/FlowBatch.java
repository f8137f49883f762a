package org.meshbook.elastic.jit.batch;

import static org.meshbook.elastic.jit.batch.BatchRule.moved;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.trace.Trace;

/// Operations that hold functions, for many examples: the functions are batched.
///
/// Where examples differ in what they decide, all of them go every way and each keeps its own: a
/// `cond` computes both branches, a `whileLoop` goes on until the last example is done.
record FlowBatch(Trace trace, List<Array> in, boolean[] mapped, int size) {

    Batched of(Op op) {
        return switch (op) {
            case Op.Cond cond -> mapped[0] ? both(cond) : one(cond);
            case Op.While loop -> loop(loop);
            case Op.Scan scan -> scan(scan);
            case Op.Remat(var body) -> {
                var flags = Batched.results(Graph.of(body), mapped, size);
                var batched = Batched.graph(Graph.of(body), mapped, flags, size);
                yield new Batched(trace.applyAll(new Op.Remat(batched), in), flags);
            }
            case Op.CustomVjp call -> custom(call);
            default -> throw new IllegalArgumentException("no function in " + op);
        };
    }

    private Batched one(Op.Cond cond) {
        var operands = part(mapped, 1, mapped.length);
        var yes = Graph.of(cond.onTrue());
        var no = Graph.of(cond.onFalse());
        var flags =
                either(Batched.results(yes, operands, size), Batched.results(no, operands, size));
        var op =
                new Op.Cond(
                        Batched.graph(yes, operands, flags, size),
                        Batched.graph(no, operands, flags, size));
        return new Batched(trace.applyAll(op, in), flags);
    }

    private Batched both(Op.Cond cond) {
        var operands = in.subList(1, in.size());
        var flags = part(mapped, 1, mapped.length);
        var yes = Batched.of(trace, Graph.of(cond.onTrue()), operands, flags, size);
        var no = Batched.of(trace, Graph.of(cond.onFalse()), operands, flags, size);
        var chosen =
                IntStream.range(0, yes.values().size())
                        .mapToObj(i -> select(trace, in.getFirst(), whole(yes, i), whole(no, i)))
                        .toList();
        return new Batched(chosen, all(chosen.size()));
    }

    private Array whole(Batched made, int i) {
        var value = made.values().get(i);
        return made.mapped()[i] ? value : Batched.repeated(trace, value, size);
    }

    /// Chooses example by example.
    private static Array select(Trace trace, Array predicate, Array yes, Array no) {
        var spread = new Op.BroadcastInDim(yes.shape(), List.of(0));
        return trace.apply(
                new Op.Select(), List.of(trace.apply(spread, List.of(predicate)), yes, no));
    }

    private Batched loop(Op.While loop) {
        int consts = loop.consts();
        var cond = Graph.of(loop.cond());
        var body = Graph.of(loop.body());
        // 1. what differs between examples, at any step
        var flags = steady(body, consts, in.size() - consts);
        boolean alone = Batched.results(cond, flags, size)[0];
        if (alone) {
            Arrays.fill(flags, consts, flags.length, true);
        }
        // 2. the functions
        var carry = part(flags, consts, flags.length);
        var goOn = Batched.graph(cond, flags, new boolean[] {alone}, size);
        var next = Batched.graph(body, flags, carry, size);
        var op =
                alone
                        ? new Op.While(any(goOn), held(goOn, next, consts), consts)
                        : new Op.While(goOn, next, consts);
        return new Batched(trace.applyAll(op, operands(flags)), carry);
    }

    /// Whether any example goes on.
    private static Graph any(Graph cond) {
        return Trace.of(
                        cond.name(),
                        cond.parameters(),
                        in -> Trace.current().call(cond, in).getFirst().any())
                .graph();
    }

    /// Examples that are done stay as they are.
    private static Graph held(Graph cond, Graph body, int consts) {
        return Trace.of(
                        body.name(),
                        body.parameters(),
                        in -> {
                            var trace = Trace.current();
                            var goOn = trace.call(cond, in).getFirst();
                            var next = trace.call(body, in);
                            return IntStream.range(0, next.size())
                                    .mapToObj(
                                            i ->
                                                    select(
                                                            trace,
                                                            goOn,
                                                            next.get(i),
                                                            in.get(consts + i)))
                                    .toList();
                        })
                .graph();
    }

    private Batched scan(Op.Scan scan) {
        int first = scan.consts() + scan.carries();
        var body = Graph.of(scan.body());
        // 1. what differs between examples, at any step
        var flags = steady(body, scan.consts(), scan.carries());
        var yielded = Batched.results(body, flags, size);
        System.arraycopy(flags, scan.consts(), yielded, 0, scan.carries());
        // 2. steps come first in what is taken and stacked, examples second
        var operands = operands(flags);
        for (int i = first; i < operands.size(); i++) {
            operands.set(i, flags[i] ? moved(trace, operands.get(i), 0, 1) : operands.get(i));
        }
        var op =
                new Op.Scan(
                        Batched.graph(body, flags, yielded, size),
                        scan.length(),
                        scan.consts(),
                        scan.carries(),
                        scan.reverse());
        var made = new ArrayList<>(trace.applyAll(op, operands));
        for (int i = scan.carries(); i < made.size(); i++) {
            made.set(i, yielded[i] ? moved(trace, made.get(i), 1, 0) : made.get(i));
        }
        return new Batched(made, yielded);
    }

    /// All operands count as different: the three functions must agree on what each other yields.
    private Batched custom(Op.CustomVjp call) {
        var op =
                new Op.CustomVjp(
                        whole(call.body()),
                        whole(call.forward()),
                        whole(call.backward()),
                        call.consts());
        var made = trace.applyAll(op, operands(all(in.size())));
        return new Batched(made, all(made.size()));
    }

    private Graph whole(Op.Body body) {
        return Batched.graph(
                Graph.of(body),
                all(body.parameters().size()),
                all(body.resultTypes().size()),
                size);
    }

    /// Which operands differ between examples, the carry now or after some steps.
    private boolean[] steady(Graph body, int consts, int carries) {
        var flags = mapped.clone();
        while (true) {
            var before = part(flags, consts, consts + carries);
            var after = either(before, part(Batched.results(body, flags, size), 0, carries));
            if (Arrays.equals(before, after)) {
                return flags;
            }
            System.arraycopy(after, 0, flags, consts, carries);
        }
    }

    private List<Array> operands(boolean[] flags) {
        var all = new ArrayList<Array>();
        for (int i = 0; i < flags.length; i++) {
            boolean repeat = flags[i] && !mapped[i];
            all.add(repeat ? Batched.repeated(trace, in.get(i), size) : in.get(i));
        }
        return all;
    }

    private static boolean[] all(int count) {
        var flags = new boolean[count];
        Arrays.fill(flags, true);
        return flags;
    }

    private static boolean[] either(boolean[] a, boolean[] b) {
        var both = a.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] |= b[i];
        }
        return both;
    }

    private static boolean[] part(boolean[] flags, int from, int to) {
        return Arrays.copyOfRange(flags, from, to);
    }
}
