package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.jit.batch.Batched;
import org.meshbook.elastic.jit.trace.Trace;

/// `vmap` in the trace that is running.
final class Mapping {
    private final Trace trace = Trace.current();
    private final List<Array> inputs = new ArrayList<>();
    private final List<ArrayType> types = new ArrayList<>();
    private final List<Boolean> mapped = new ArrayList<>();
    private Optional<Counted> counted = Optional.empty();

    /// The array that said how many examples there are.
    private record Counted(String path, ArrayType type, int axis, int size) {}

    private Mapping() {}

    static Object of(Compiled.Body body, Axes axes, List<?> arguments) {
        // 1. examples to dimension 0
        UsageError.require(
                axes.in().size() == arguments.size(),
                "vmap: %d axes are given for %d arguments; give one each, or Axes.NONE",
                axes.in().size(),
                arguments.size());
        var mapping = new Mapping();
        for (int i = 0; i < arguments.size(); i++) {
            mapping.argument(i, arguments.get(i), axes.in().get(i));
        }
        int size =
                mapping.counted
                        .orElseThrow(
                                () ->
                                        new UsageError(
                                                "vmap: no argument is mapped; give one an axis, as"
                                                        + " Axes.in(0)"))
                        .size();
        // 2. the function of one example, then of all
        var structure = Tree.flatten(arguments).structure();
        var one =
                Trace.of(
                        "vmap",
                        mapping.types,
                        leaves -> body.apply(structure.<List<?>>rebuild(leaves)));
        mapping.inputs.addAll(mapping.trace.own(one.captured()));
        var flags = new boolean[mapping.inputs.size()];
        for (int i = 0; i < mapping.mapped.size(); i++) {
            flags[i] = mapping.mapped.get(i);
        }
        var made = Batched.of(mapping.trace, one.graph(), mapping.inputs, flags, size);
        // 3. examples to where they are wanted
        var results =
                IntStream.range(0, made.values().size())
                        .mapToObj(i -> mapping.result(made, i, axes.out(), size))
                        .toList();
        return one.structure().rebuild(results);
    }

    private void argument(int number, Object argument, int axis) {
        var flat = Tree.flatten(argument);
        for (int i = 0; i < flat.leaves().size(); i++) {
            var x = flat.leaves().get(i);
            if (axis == Axes.NONE) {
                add(x, x.type(), false);
                continue;
            }
            var path = flat.structure().paths().get(i);
            var name = path.isEmpty() ? "argument " + (number + 1) : "'" + path + "'";
            int rank = x.shape().rank();
            UsageError.require(
                    axis >= -rank && axis < rank,
                    "vmap: %s is %s, which has no axis %d to map along; use Axes.NONE for what is the"
                            + " same for all",
                    name,
                    x.type(),
                    axis);
            int at = axis < 0 ? axis + rank : axis;
            count(new Counted(name, x.type(), at, x.shape().dim(at)));
            var first = moved(x, at, 0);
            add(first, new ArrayType(x.dtype(), first.shape().tail()), true);
        }
    }

    private void add(Array x, ArrayType type, boolean maps) {
        inputs.add(x);
        types.add(type);
        mapped.add(maps);
    }

    private void count(Counted next) {
        var before = counted.orElse(next);
        if (before.size() != next.size()) {
            throw new MeshMismatch(
                    "vmap: %s is %s with %d examples along axis %d, %s is %s with %d along axis %d;"
                            + " they must be equally many",
                    before.path(),
                    before.type(),
                    before.size(),
                    before.axis(),
                    next.path(),
                    next.type(),
                    next.size(),
                    next.axis());
        }
        counted = Optional.of(before);
    }

    private Array result(Batched made, int i, int axis, int size) {
        var value = made.values().get(i);
        var whole = made.mapped()[i] ? value : Batched.repeated(trace, value, size);
        int rank = whole.shape().rank();
        UsageError.require(
                axis >= -rank && axis < rank,
                "vmap: the result is %s for all examples, which has no axis %d to put them",
                whole.type(),
                axis);
        return moved(whole, 0, axis < 0 ? axis + rank : axis);
    }

    private Array moved(Array x, int from, int to) {
        if (from == to) {
            return x;
        }
        var order = new ArrayList<>(IntStream.range(0, x.shape().rank()).boxed().toList());
        order.add(to, order.remove(from));
        return trace.apply(new Op.Transpose(order), List.of(x));
    }
}
