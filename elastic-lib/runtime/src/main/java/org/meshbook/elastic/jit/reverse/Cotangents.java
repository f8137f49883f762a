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
    private final List<Array> values;
    private final List<Map<Set<String>, Array>> parts = new ArrayList<>();

    Cotangents(List<Array> values) {
        this.values = values;
        values.forEach(_ -> parts.add(new LinkedHashMap<>()));
    }

    /// @param axes along which the part may differ from device to device
    void add(int value, Array part, Collection<String> axes) {
        var summed = Varying.without(axes, Trace.varying(values.get(value)));
        parts.get(value).merge(summed, part, Array::add);
    }

    /// @return the sum of all parts; empty if there are none
    Optional<Array> of(int value) {
        return parts.get(value).entrySet().stream()
                .map(entry -> psum(entry.getValue(), entry.getKey()))
                .reduce(Array::add);
    }

    private static Array psum(Array part, Set<String> axes) {
        return axes.isEmpty()
                ? part
                : part.apply(new Op.AllReduce(Op.ReduceKind.SUM, List.copyOf(axes)), List.of(part));
    }
}
