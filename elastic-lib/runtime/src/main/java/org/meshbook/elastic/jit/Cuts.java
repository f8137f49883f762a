package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.meshbook.elastic.mesh.PartitionSpec;

/// Which axes cut which dimension.
final class Cuts {
    private Cuts() {}

    static List<List<String>> none(int rank) {
        return Collections.nCopies(rank, List.of());
    }

    static List<List<String>> without(List<List<String>> cuts, List<Integer> dims) {
        var kept = new ArrayList<List<String>>();
        for (int i = 0; i < cuts.size(); i++) {
            if (!dims.contains(i)) {
                kept.add(cuts.get(i));
            }
        }
        return kept;
    }

    static List<String> plus(List<String> axes, String axis) {
        return Stream.concat(axes.stream(), Stream.of(axis)).toList();
    }

    /// A spec's cuts of an array of so many dimensions.
    static List<List<String>> of(PartitionSpec spec, int rank) {
        return IntStream.range(0, rank).mapToObj(spec::axes).toList();
    }

    /// For each dimension the first cut that any operand has, unless its axes already cut another.
    static List<List<String>> merge(List<List<List<String>>> operands) {
        int rank = operands.getFirst().size();
        var merged = new ArrayList<>(none(rank));
        var used = new HashSet<String>();
        for (var cuts : operands) {
            for (int dim = 0; dim < rank; dim++) {
                var cut = cuts.get(dim);
                if (merged.get(dim).isEmpty() && cut.stream().noneMatch(used::contains)) {
                    merged.set(dim, cut);
                    used.addAll(cut);
                }
            }
        }
        return merged;
    }
}
