package org.meshbook.elastic.checkpoint.unit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Slices;

/// What a state looks like, without its arrays: classes, shapes, types and shardings.
///
/// @param structure the tree; its plain values are placeholders
/// @param leaves by path
public record Pattern(Structure structure, Map<String, Wanted> leaves) {
    /// One array of the state.
    ///
    /// @param type its type
    /// @param sharding where it lies; none for a host array
    public record Wanted(ArrayType type, Optional<Sharding> sharding) {}

    /// @param state a state
    /// @param slices where its arrays lie
    /// @return what it looks like; holds none of its arrays
    public static Pattern of(Object state, Slices slices) {
        var flat = Tree.flatten(state, (_, value) -> value);
        var paths = flat.structure().paths();
        var leaves = new LinkedHashMap<String, Wanted>();
        for (int i = 0; i < paths.size(); i++) {
            leaves.put(paths.get(i), wanted(flat.leaves().get(i), slices));
        }
        return new Pattern(flat.structure(), leaves);
    }

    /// What a piece of code makes: a state that is made only to be looked at, and freed at once.
    ///
    /// @param make makes it
    /// @param slices where its arrays lie
    /// @return what it looks like
    public static Pattern ofMade(Supplier<?> make, Slices slices) {
        var scope = slices.openScope("the look at a first state");
        try {
            Object example = make.get();
            var pattern = of(example, slices);
            var made =
                    Tree.flatten(example, (_, value) -> value).leaves().stream()
                            .filter(leaf -> !(leaf instanceof HostArray))
                            .filter(scope::holds)
                            .toList();
            slices.free(made, "when its classes were known");
            return pattern;
        } finally {
            scope.leave();
        }
    }

    private static Wanted wanted(Array leaf, Slices slices) {
        return new Wanted(
                leaf.type(),
                leaf instanceof HostArray
                        ? Optional.empty()
                        : Optional.of(slices.shardingOf(leaf)));
    }
}
