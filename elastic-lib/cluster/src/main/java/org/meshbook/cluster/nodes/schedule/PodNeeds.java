package org.meshbook.cluster.nodes.schedule;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// What a pod takes of its node.
///
/// @param requests amounts by resource
/// @param hostPorts ports of the node, as `TCP/8080`
record PodNeeds(Map<String, Quantity> requests, Set<String> hostPorts) {
    static PodNeeds of(Resource pod) {
        var sum = new LinkedHashMap<String, Quantity>();
        pod.list("spec", "containers").forEach(c -> add(sum, requests(c)));
        var peak = new LinkedHashMap<String, Quantity>();
        for (var init : pod.list("spec", "initContainers")) {
            if (init.path("restartPolicy").asString("").equals("Always")) {
                add(sum, requests(init));
            } else {
                requests(init).forEach((name, q) -> peak.merge(name, q, PodNeeds::larger));
            }
        }
        peak.forEach((name, q) -> sum.merge(name, q, PodNeeds::larger));
        add(sum, quantities(pod.at("spec", "overhead")));
        sum.put("pods", Quantity.units(1));
        return new PodNeeds(sum, ports(pod));
    }

    private static Quantity larger(Quantity a, Quantity b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, q) -> sum.merge(name, q, Quantity::plus));
    }

    private static Map<String, Quantity> requests(JsonNode container) {
        var requests = quantities(container.path("resources").path("limits"));
        requests.putAll(quantities(container.path("resources").path("requests")));
        return requests;
    }

    static Map<String, Quantity> quantities(JsonNode map) {
        var out = new LinkedHashMap<String, Quantity>();
        map.properties()
                .forEach(e -> out.put(e.getKey(), Quantity.parse(e.getValue().asString(""))));
        return out;
    }

    private static Set<String> ports(Resource pod) {
        boolean all = pod.at("spec", "hostNetwork").asBoolean(false);
        var ports = new HashSet<String>();
        Stream.concat(
                        pod.list("spec", "containers").stream(),
                        pod.list("spec", "initContainers").stream())
                .flatMap(c -> c.path("ports").valueStream())
                .forEach(
                        p -> {
                            int port =
                                    p.path("hostPort")
                                            .asInt(all ? p.path("containerPort").asInt(0) : 0);
                            if (port > 0) {
                                ports.add(p.path("protocol").asString("TCP") + "/" + port);
                            }
                        });
        return ports;
    }

    static int priority(Resource pod) {
        return pod.at("spec", "priority").asInt(0);
    }
}
