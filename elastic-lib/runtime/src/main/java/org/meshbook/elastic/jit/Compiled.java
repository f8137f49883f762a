package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.collective.BoundAxes;
import org.meshbook.elastic.jit.reverse.Gradient;
import org.meshbook.elastic.jit.trace.Trace;
import org.meshbook.elastic.mesh.Axis;

/// One function with everything that was traced and partitioned for it so far.
final class Compiled {
    private static final int KEPT = 256;

    private final String name;
    private final Body body;
    private final Wanted wanted;
    private final AtomicInteger traces = new AtomicInteger();
    private final Map<Key, Traceable> known = new ConcurrentHashMap<>();

    /// The user's function, with its arguments in a list.
    interface Body {
        Object apply(List<?> arguments);
    }

    /// What is made of the traced function.
    private enum Wanted {
        PLAIN,
        VALUE_AND_GRAD,
        GRAD
    }

    /// @param devices what the function may know of the devices of a `shardMap` around it
    private record Key(Structure structure, List<ArrayType> types, Devices devices) {}

    /// @param axes bound around the call; none outside of `shardMap`
    /// @param varying for each array the axes along which it differs from device to device
    private record Devices(List<Axis> axes, List<Set<String>> varying) {
        static Devices of(List<Array> leaves) {
            return new Devices(
                    BoundAxes.current().map(BoundAxes::axes).orElse(List.of()),
                    leaves.stream().map(Trace::varying).toList());
        }
    }

    /// A trace and the programs made of it.
    private record Traceable(Trace.Result result, Runner runner) {}

    private Compiled(String name, Body body, Wanted wanted) {
        this.name = name;
        this.body = body;
        this.wanted = wanted;
    }

    static Compiled plain(Body body) {
        return plain("jit", body);
    }

    static Compiled plain(String name, Body body) {
        return new Compiled(name, body, Wanted.PLAIN);
    }

    static Compiled valueAndGrad(Body body) {
        return new Compiled("value_and_grad", body, Wanted.VALUE_AND_GRAD);
    }

    static Compiled grad(Body body) {
        return new Compiled("grad", body, Wanted.GRAD);
    }

    int traces() {
        return traces.get();
    }

    Object call(List<?> arguments) {
        // 1. take the arguments apart  2. find or make the trace  3. run it where its inputs are
        var flat = Tree.flatten(arguments);
        var traceable = traceable(flat);
        var inputs = inputs(flat, traceable);
        var outputs = traceable.runner().run(inputs);
        return wrapped(traceable.result().structure().rebuild(outputs));
    }

    Lowered lower(List<?> arguments) {
        var flat = Tree.flatten(arguments);
        var traceable = traceable(flat);
        return traceable.runner().lowered(inputs(flat, traceable));
    }

    private static List<Array> inputs(Tree.Flat flat, Traceable traceable) {
        var inputs = new ArrayList<>(flat.leaves());
        inputs.addAll(traceable.result().captured());
        return inputs;
    }

    private Traceable traceable(Tree.Flat flat) {
        var types = flat.leaves().stream().map(Array::type).toList();
        var key = new Key(flat.structure(), types, Devices.of(flat.leaves()));
        var before = Optional.ofNullable(known.get(key));
        if (before.isPresent()) {
            return before.get();
        }
        var result = trace(key);
        var runner = new Runner(name, result.graph(), result.structure().paths());
        var traceable = new Traceable(result, runner);
        // A trace that uses arrays of an outer one is good for this call only.
        if (!result.depends()) {
            if (known.size() >= KEPT) {
                known.clear();
            }
            known.put(key, traceable);
        }
        return traceable;
    }

    private Trace.Result trace(Key key) {
        traces.incrementAndGet();
        var result =
                Trace.of(
                        name,
                        key.types(),
                        key.devices().varying(),
                        leaves -> body.apply(key.structure().<List<?>>rebuild(leaves)));
        if (wanted == Wanted.PLAIN) {
            return result;
        }
        var first = ((Structure.Items) key.structure()).children().getFirst();
        int by = first.leafCount();
        differentiable(first, key.types().subList(0, by));
        var varying = new ArrayList<>(key.devices().varying());
        result.captured().forEach(array -> varying.add(Trace.varying(array)));
        var graph = Gradient.of(result.graph(), by, varying);
        var structure = new Structure.Items(List.of(result.structure(), first));
        return new Trace.Result(graph, result.captured(), structure);
    }

    private void differentiable(Structure first, List<ArrayType> types) {
        UsageError.require(
                !types.isEmpty(),
                "%s: the first argument holds no array to differentiate by",
                name);
        for (int i = 0; i < types.size(); i++) {
            UsageError.require(
                    types.get(i).dtype().isFloat(),
                    "%s: '%s' of the first argument is %s, which has no gradient; pass it in another"
                            + " argument",
                    name,
                    first.paths().get(i),
                    types.get(i));
        }
    }

    private Object wrapped(Object result) {
        if (wanted == Wanted.PLAIN) {
            return result;
        }
        var both = (List<?>) result;
        return wanted == Wanted.GRAD
                ? both.getLast()
                : new ValueAndGrad<Object>((Array) both.getFirst(), both.getLast());
    }
}
