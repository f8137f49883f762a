package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.collective.Varying;
import org.meshbook.elastic.jit.trace.Trace;

/// What has come back to each value of a graph so far.
///
/// Parts from where devices differ, for a value that is equal on all of them, are added up over the
/// devices: once for all parts, when the sum is asked for.
final class Cotangents {
    private final List<List<Array>> values;
    private final List<List<Map<Set<String>, Array>>> parts = new ArrayList<>();

    /// @param values for each value all results of its operation
    Cotangents(List<List<Array>> values) {
        this.values = values;
        for (var results : values) {
            var maps = new ArrayList<Map<Set<String>, Array>>();
            results.forEach(_ -> maps.add(new LinkedHashMap<>()));
            parts.add(maps);
        }
    }

    /// @param index which result of the value's operation
    /// @param axes along which the part may differ from device to device
    void add(int value, int index, Array part, Collection<String> axes) {
        var summed = Varying.without(axes, Trace.varying(values.get(value).get(index)));
        parts.get(value).get(index).merge(summed, part, Array::add);
    }

    /// @return for each result the sum of all parts; empty where there are none
    List<Optional<Array>> of(int value) {
        return parts.get(value).stream().map(Cotangents::sum).toList();
    }

    private static Optional<Array> sum(Map<Set<String>, Array> parts) {
        return parts.entrySet().stream()
                .map(entry -> psum(entry.getValue(), entry.getKey()))
                .reduce(Array::add);
    }

    private static Array psum(Array part, Set<String> axes) {
        return axes.isEmpty()
                ? part
                : part.apply(new Op.AllReduce(Op.ReduceKind.SUM, List.copyOf(axes)), List.of(part));
    }
}
