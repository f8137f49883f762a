package org.meshbook.cluster.kueue;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.queue.Amounts;
import tools.jackson.databind.JsonNode;

/// What one pod asks for.
final class PodRequests {
    private PodRequests() {}

    /// The larger of what its containers ask for together and what any init container asks for
    /// beside those sidecars that are up by then, and the pod's overhead. Limits stand for requests
    /// that are missing.
    ///
    /// @param podSpec the `spec` of a pod template
    /// @return by resource, in [Amounts]
    static SortedMap<String, Long> of(JsonNode podSpec) {
        var running = new TreeMap<String, Quantity>();
        for (var container : podSpec.path("containers").values()) {
            add(running, requests(container));
        }
        var sidecars = new TreeMap<String, Quantity>();
        var most = new TreeMap<String, Quantity>();
        for (var init : podSpec.path("initContainers").values()) {
            var wanted = new TreeMap<>(requests(init));
            add(wanted, sidecars);
            wanted.forEach((r, q) -> most.merge(r, q, PodRequests::larger));
            if (Specs.text(init, "restartPolicy").equals("Always")) {
                add(sidecars, requests(init));
            }
        }
        add(running, sidecars);
        most.forEach((r, q) -> running.merge(r, q, PodRequests::larger));
        podSpec.path("overhead")
                .properties()
                .forEach(e -> running.merge(e.getKey(), read(e.getValue()), Quantity::plus));
        var amounts = new TreeMap<String, Long>();
        running.forEach((resource, q) -> amounts.put(resource, Amounts.of(resource, q)));
        return amounts;
    }

    private static Map<String, Quantity> requests(JsonNode container) {
        var found = new TreeMap<String, Quantity>();
        for (var field : new String[] {"limits", "requests"}) {
            container
                    .path("resources")
                    .path(field)
                    .properties()
                    .forEach(e -> found.put(e.getKey(), read(e.getValue())));
        }
        return found;
    }

    private static Quantity read(JsonNode node) {
        return Quantity.parse(node.asString("0"));
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((resource, q) -> sum.merge(resource, q, Quantity::plus));
    }

    private static Quantity larger(Quantity a, Quantity b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /// @param podSpec the `spec` of a pod template
    /// @return a container whose request is above its limit, as the server words it; `""` if none
    static String aboveLimit(JsonNode podSpec) {
        for (var container : podSpec.path("containers").values()) {
            var limits = container.path("resources").path("limits");
            for (var e : container.path("resources").path("requests").properties()) {
                var limit = limits.path(e.getKey());
                if (!limit.isMissingNode() && read(e.getValue()).compareTo(read(limit)) > 0) {
                    return e.getKey();
                }
            }
        }
        return "";
    }
}
