package org.meshbook.elastic.checkpoint.unit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.meshbook.elastic.array.Structure;

/// The values of a unit that are no arrays, by path.
public final class Values {
    private Values() {}

    /// @param unit a unit
    /// @return values by path, as they were saved; one that could change is [Frozen]
    public static Map<String, Object> of(Unit unit) {
        var values = new LinkedHashMap<String, Object>();
        walk(unit.structure(), "", values);
        return values;
    }

    private static void walk(Structure node, String path, Map<String, Object> values) {
        switch (node) {
            case Structure.Leaf _ -> {}
            case Structure.Plain(var value) -> values.put(path, value);
            case Structure.Items(var children) -> walk(children, i -> path + "[" + i + "]", values);
            case Structure.Entries(var keys, var children) ->
                    walk(children, i -> path + "[" + keys.get(i) + "]", values);
            case Structure.Fields(var shape, var children) ->
                    walk(
                            children,
                            i -> (path.isEmpty() ? "" : path + ".") + shape.names().get(i),
                            values);
            case Structure.Maybe(var child) -> child.ifPresent(inner -> walk(inner, path, values));
        }
    }

    private static void walk(
            List<Structure> children, IntFunction<String> path, Map<String, Object> values) {
        for (int i = 0; i < children.size(); i++) {
            walk(children.get(i), path.apply(i), values);
        }
    }
}
