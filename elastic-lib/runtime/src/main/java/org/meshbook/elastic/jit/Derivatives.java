package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.jit.forward.Tangents;
import org.meshbook.elastic.jit.reverse.Moving;
import org.meshbook.elastic.jit.reverse.Split;
import org.meshbook.elastic.jit.trace.Trace;

/// What [Transform] does to trees and traces around the derivatives of graphs.
final class Derivatives {
    private Derivatives() {}

    static Object jvp(Compiled.Body body, Object primal, Object tangent) {
        var at = Tree.flatten(primal);
        var by = Tree.flatten(tangent);
        like("jvp", "primal", "tangent", at, by);
        var trace = Trace.current();
        var traced = trace("jvp", at, body);
        var inputs = trace.own(at.leaves());
        var all = new ArrayList<>(inputs);
        all.addAll(trace.own(traced.captured()));
        var tangents = new ArrayList<Optional<Array>>();
        for (int i = 0; i < all.size(); i++) {
            boolean moves = i < inputs.size() && all.get(i).dtype().isFloat();
            tangents.add(moves ? Optional.of(trace.own(by.leaves()).get(i)) : Optional.empty());
        }
        var made = Tangents.of(trace, traced.graph(), all, tangents);
        var changes =
                IntStream.range(0, made.values().size())
                        .mapToObj(
                                i ->
                                        made.tangents()
                                                .get(i)
                                                .orElseGet(
                                                        () ->
                                                                trace.fill(
                                                                        made.values().get(i).type(),
                                                                        0)))
                        .toList();
        return new org.meshbook.elastic.array.Pair<>(
                traced.structure().<Object>rebuild(made.values()),
                traced.structure().<Object>rebuild(changes));
    }

    static ValueAndPullback<?, ?> vjp(Compiled.Body body, Object primal) {
        // 1. the function, cut where cotangents come in
        var at = Tree.flatten(primal);
        var traced = trace("vjp", at, body);
        var inputs = new ArrayList<>(at.leaves());
        inputs.addAll(traced.captured());
        var moving = new boolean[inputs.size()];
        for (int i = 0; i < at.leaves().size(); i++) {
            moving[i] = inputs.get(i).dtype().isFloat();
        }
        var given = Moving.results(traced.graph(), moving);
        var later = new boolean[moving.length];
        Arrays.fill(later, true);
        var split = Split.of(traced.graph(), moving, given, later, new boolean[moving.length]);
        // 2. forward
        var made = new Runner("vjp", split.forward(), List.of()).run(inputs);
        var kept = new ArrayList<>(split.kept().stream().map(inputs::get).toList());
        kept.addAll(made.subList(given.length, made.size()));
        // 3. back, whenever it is asked for
        var back = new Runner("vjp", split.backward(), List.of());
        var results = made.subList(0, given.length);
        var value = new Tree.Flat(traced.structure(), List.copyOf(results));
        Fn1<Object, Object> pullback =
                cotangent -> {
                    var flat = Tree.flatten(cotangent);
                    like("vjp", "value", "cotangent", value, flat);
                    var taken = new ArrayList<>(kept);
                    taken.addAll(Moving.chosen(flat.leaves(), given));
                    var parts = back.run(taken);
                    var all = new ArrayList<Array>();
                    int next = 0;
                    for (int i = 0; i < at.leaves().size(); i++) {
                        var type = at.leaves().get(i).type();
                        all.add(
                                moving[i]
                                        ? parts.get(next++)
                                        : Array.zeros(type.dtype(), type.shape().toArray()));
                    }
                    return at.structure().rebuild(all);
                };
        return new ValueAndPullback<>(traced.structure().<Object>rebuild(results), pullback);
    }

    private static Trace.Result trace(String name, Tree.Flat at, Compiled.Body body) {
        return Trace.of(
                name,
                types(at.leaves()),
                leaves -> body.apply(List.of(at.structure().<Object>rebuild(leaves))));
    }

    static Object remat(Compiled.Body body, List<?> arguments) {
        var flat = Tree.flatten(arguments);
        var traced = traced("remat", flat.structure(), types(flat.leaves()), body);
        var operands = new ArrayList<>(flat.leaves());
        operands.addAll(traced.captured());
        var op = new Op.Remat(traced.graph());
        return traced.structure().rebuild(Trace.current().applyAll(op, operands));
    }

    /// @param back yields a list of what is like each argument
    static Compiled custom(Compiled.Body body, Compiled.Body forward, Compiled.Body back) {
        return Compiled.plain("customVjp", args -> custom(body, forward, back, args));
    }

    private static Object custom(
            Compiled.Body body, Compiled.Body forward, Compiled.Body back, List<?> arguments) {
        // 1. all three as graphs
        var flat = Tree.flatten(arguments);
        var types = types(flat.leaves());
        var plain = traced("custom", flat.structure(), types, body);
        var fwd = traced("custom_fwd", flat.structure(), types, forward);
        var both = fwd.structure().children();
        int count = plain.graph().results().size();
        var resultTypes = plain.graph().resultTypes();
        new Matching(
                        "customVjp",
                        "result of f",
                        "first of fwd",
                        "fwd yields pair(what f yields, kept)")
                .check(
                        plain.structure(),
                        resultTypes,
                        both.getFirst(),
                        fwd.graph().resultTypes().subList(0, both.getFirst().leafCount()));
        var taken =
                new ArrayList<>(
                        fwd.graph().resultTypes().subList(count, fwd.graph().results().size()));
        taken.addAll(resultTypes);
        var keptAndCotangent = new Structure.Items(List.of(both.getLast(), plain.structure()));
        var bwd = traced("custom_bwd", keptAndCotangent, taken, back);
        new Matching(
                        "customVjp",
                        "argument of f",
                        "result of bwd",
                        "bwd yields a tree like the argument")
                .check(flat.structure(), types, bwd.structure(), bwd.graph().resultTypes());
        // 2. what they use from around them comes first; what bwd uses is kept, too
        var constants = new FlowTrace.Constants();
        constants.add(plain);
        constants.add(fwd);
        constants.add(bwd);
        var operands = new ArrayList<>(constants.arrays());
        operands.addAll(flat.leaves());
        var op =
                new Op.CustomVjp(
                        constants.graph(plain, types),
                        constants.kept(fwd, types, bwd),
                        bwdLast(bwd, taken, count),
                        constants.arrays().size());
        return plain.structure().rebuild(Trace.current().applyAll(op, operands));
    }

    /// Takes what is kept, then what is used from around, then cotangents.
    private static org.meshbook.elastic.graph.Graph bwdLast(
            Trace.Result bwd, List<ArrayType> taken, int cotangents) {
        int kept = taken.size() - cotangents;
        int used = bwd.captured().size();
        var types = new ArrayList<>(taken.subList(0, kept));
        types.addAll(types(bwd.captured()));
        types.addAll(taken.subList(kept, taken.size()));
        var places = new ArrayList<Integer>();
        IntStream.range(0, kept).forEach(places::add);
        IntStream.range(kept + used, types.size()).forEach(places::add);
        IntStream.range(kept, kept + used).forEach(places::add);
        return bwd.graph().widened(types, places);
    }

    private static Trace.Result traced(
            String name, Structure arguments, List<ArrayType> types, Compiled.Body body) {
        return Trace.of(name, types, leaves -> body.apply(arguments.<List<?>>rebuild(leaves)));
    }

    private static void like(String asker, String wanted, String found, Tree.Flat a, Tree.Flat b) {
        new Matching(asker, wanted, found, "give a tree like the " + wanted)
                .check(a.structure(), types(a.leaves()), b.structure(), types(b.leaves()));
    }

    private static List<ArrayType> types(List<? extends Array> arrays) {
        return arrays.stream().map(Array::type).toList();
    }
}
