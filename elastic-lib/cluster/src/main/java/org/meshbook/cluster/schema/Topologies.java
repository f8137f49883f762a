package org.meshbook.cluster.schema;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The two forms of a topology assignment: a list of domains, and slices that say once what their
/// domains have in common.
final class Topologies {
    private Topologies() {}

    /// Domains become one slice.
    static void slices(ObjectNode assignment) {
        var removed = assignment.remove("domains");
        if (removed == null) {
            return;
        }
        var domains = List.copyOf(removed.values());
        var slice = assignment.putArray("slices").addObject().put("domainCount", domains.size());
        var counts = domains.stream().map(d -> d.path("count").asInt()).toList();
        var pods = slice.putObject("podCounts");
        if (counts.stream().distinct().count() == 1) {
            pods.put("universal", counts.getFirst());
        } else {
            var each = pods.putArray("individual");
            counts.forEach(each::add);
        }
        var perLevel = slice.putArray("valuesPerLevel");
        for (int level = 0; level < assignment.path("levels").size(); level++) {
            int at = level;
            var values = domains.stream().map(d -> d.path("values").path(at).asString("")).toList();
            if (values.stream().distinct().count() == 1) {
                perLevel.addObject().put("universal", values.getFirst());
            } else {
                var roots = perLevel.addObject().putObject("individual").putArray("roots");
                values.forEach(roots::add);
            }
        }
    }

    /// Slices become the domains that they stand for.
    static void domains(ObjectNode assignment) {
        var removed = assignment.remove("slices");
        if (removed == null) {
            return;
        }
        var domains = assignment.putArray("domains");
        for (var slice : removed.values()) {
            for (int i = 0; i < slice.path("domainCount").asInt(); i++) {
                var domain = domains.addObject();
                var pods = slice.path("podCounts");
                domain.put(
                        "count",
                        pods.path("universal").asInt(pods.path("individual").path(i).asInt()));
                var values = domain.putArray("values");
                valuesOf(slice, i).forEach(values::add);
            }
        }
    }

    private static List<String> valuesOf(JsonNode slice, int index) {
        var values = new ArrayList<String>();
        for (var level : slice.path("valuesPerLevel").values()) {
            var each = level.path("individual");
            values.add(
                    level.has("universal")
                            ? level.get("universal").asString()
                            : each.path("prefix").asString("")
                                    + each.path("roots").path(index).asString("")
                                    + each.path("suffix").asString(""));
        }
        return values;
    }
}
