package org.meshbook.elastic.checkpoint;

import static org.meshbook.elastic.UsageError.require;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;

/// A saved tree without its device arrays: state, step and data position in one.
///
/// @param structure with the plain values
/// @param hosts one entry a leaf: the host array, or none for one that lies on devices
/// @param types one entry a leaf
record Unit(Structure structure, List<Optional<HostArray>> hosts, List<ArrayType> types) {
    private static final Set<Class<?>> VALUES =
            Set.of(
                    Byte.class,
                    Short.class,
                    Integer.class,
                    Long.class,
                    Float.class,
                    Double.class,
                    BigInteger.class,
                    BigDecimal.class);

    static Unit of(Tree.Flat flat) {
        checkValues(flat.structure());
        var hosts = new ArrayList<Optional<HostArray>>();
        for (var leaf : flat.leaves()) {
            hosts.add(leaf instanceof HostArray host ? Optional.of(host) : Optional.empty());
        }
        return new Unit(
                flat.structure(),
                List.copyOf(hosts),
                flat.leaves().stream().map(Array::type).toList());
    }

    /// The tree again, with new device arrays.
    List<Array> leaves(List<Array> placed) {
        Iterator<Array> next = placed.iterator();
        var leaves = new ArrayList<Array>();
        hosts.forEach(host -> leaves.add(host.isPresent() ? host.get() : next.next()));
        return leaves;
    }

    /// The plain values of this tree in the classes of another one, which must have the same fields
    /// and array types.
    Structure as(Tree.Flat like) {
        var wrong = new ArrayList<String>();
        var adapted = adapt(structure, like.structure(), "", wrong);
        if (wrong.isEmpty()) {
            var paths = structure.paths();
            for (int i = 0; i < types.size(); i++) {
                var asked = like.leaves().get(i).type();
                if (!types.get(i).equals(asked)) {
                    wrong.add(
                            "'%s' is %s, asked for %s"
                                    .formatted(paths.get(i), types.get(i), asked));
                }
            }
        }
        require(
                wrong.isEmpty(),
                "the snapshot does not fit what is asked for: %s",
                String.join("; ", wrong));
        return adapted;
    }

    private static Structure adapt(
            Structure saved, Structure asked, String path, List<String> wrong) {
        return switch (saved) {
            case Structure.Leaf leaf when asked instanceof Structure.Leaf -> leaf;
            case Structure.Plain plain when asked instanceof Structure.Plain -> plain;
            case Structure.Items(var mine)
                    when asked instanceof Structure.Items(var theirs)
                            && mine.size() == theirs.size() ->
                    new Structure.Items(all(mine, theirs, i -> path + "[" + i + "]", wrong));
            case Structure.Entries(var keys, var mine)
                    when asked instanceof Structure.Entries(var asks, var theirs)
                            && keys.equals(asks) ->
                    new Structure.Entries(
                            keys, all(mine, theirs, i -> path + "[" + keys.get(i) + "]", wrong));
            case Structure.Fields(var shape, var mine)
                    when asked instanceof Structure.Fields(var other, var theirs)
                            && shape.names().equals(other.names()) ->
                    new Structure.Fields(
                            other, all(mine, theirs, i -> join(path, shape.names().get(i)), wrong));
            case Structure.Maybe(var mine)
                    when asked instanceof Structure.Maybe(var theirs)
                            && mine.isPresent() == theirs.isPresent() ->
                    new Structure.Maybe(
                            mine.map(inner -> adapt(inner, theirs.orElseThrow(), path, wrong)));
            case Structure.Leaf _,
                    Structure.Plain _,
                    Structure.Items _,
                    Structure.Entries _,
                    Structure.Fields _,
                    Structure.Maybe _ -> {
                wrong.add("'%s' is %s, asked for %s".formatted(path, word(saved), word(asked)));
                yield saved;
            }
        };
    }

    private static List<Structure> all(
            List<Structure> mine,
            List<Structure> theirs,
            IntFunction<String> path,
            List<String> wrong) {
        var all = new ArrayList<Structure>();
        for (int i = 0; i < mine.size(); i++) {
            all.add(adapt(mine.get(i), theirs.get(i), path.apply(i), wrong));
        }
        return all;
    }

    private static String word(Structure structure) {
        return switch (structure) {
            case Structure.Leaf _ -> "an array";
            case Structure.Plain(var value) -> "a " + value.getClass().getSimpleName();
            case Structure.Items(var items) -> "a list of " + items.size();
            case Structure.Entries(var keys, _) -> "a map of " + keys;
            case Structure.Fields(var shape, _) -> "a record of " + shape.names();
            case Structure.Maybe(var child) -> child.isPresent() ? "present" : "empty";
        };
    }

    /// Plain values are kept, not copied, so they must be values: an AtomicLong would go on
    /// changing.
    private static void checkValues(Structure node) {
        switch (node) {
            case Structure.Leaf _ -> {}
            case Structure.Plain(var value) ->
                    require(
                            !(value instanceof Number) || VALUES.contains(value.getClass()),
                            "a snapshot cannot hold a %s, which changes after the save; use a long or"
                                    + " a double",
                            value.getClass().getSimpleName());
            case Structure.Items(var children) -> children.forEach(Unit::checkValues);
            case Structure.Entries(_, var children) -> children.forEach(Unit::checkValues);
            case Structure.Fields(_, var children) -> children.forEach(Unit::checkValues);
            case Structure.Maybe(var child) -> child.ifPresent(Unit::checkValues);
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
