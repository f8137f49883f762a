package org.meshbook.cluster.kueue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which admission checks a workload needs, and their states.
final class Checks {
    private Checks() {}

    /// @return names of all checks of a queue
    static List<String> of(Resource queue) {
        var names = new ArrayList<String>();
        queue.list("spec", "admissionChecks").forEach(n -> names.add(n.asString("")));
        strategy(queue).forEach(c -> names.add(Specs.text(c, "name")));
        return names;
    }

    /// @param flavors the flavors that the workload has; none yet means only checks of all flavors
    /// @return names of the checks that it needs
    static List<String> needed(Resource queue, List<String> flavors) {
        var names = new ArrayList<String>();
        queue.list("spec", "admissionChecks").forEach(n -> names.add(n.asString("")));
        for (var check : strategy(queue)) {
            var on = Specs.texts(check.path("onFlavors"));
            if (on.isEmpty() || on.stream().anyMatch(flavors::contains)) {
                names.add(Specs.text(check, "name"));
            }
        }
        return names;
    }

    private static List<JsonNode> strategy(Resource queue) {
        return queue.list("spec", "admissionChecksStrategy", "admissionChecks");
    }

    /// Adds checks that are needed and drops those that are not.
    static void align(ObjectNode workload, List<String> needed, Instant now) {
        var status = workload.withObjectProperty("status");
        var there = new Resource(workload).list("status", "admissionChecks");
        if (there.stream().map(c -> Specs.text(c, "name")).toList().equals(needed)) {
            return;
        }
        if (needed.isEmpty()) {
            status.remove("admissionChecks");
            return;
        }
        var list = status.putArray("admissionChecks");
        for (var name : needed) {
            var known = there.stream().filter(c -> Specs.text(c, "name").equals(name)).findFirst();
            if (known.isPresent()) {
                list.add(known.get());
            } else {
                var fresh = list.addObject().put("name", name);
                put(fresh, "Pending", "", now);
            }
        }
    }

    /// Sets one check's state; the time of its last change stays if its state does.
    static void put(ObjectNode check, String state, String message, Instant now) {
        if (!Specs.text(check, "state").equals(state)) {
            check.put("lastTransitionTime", Conditions.stamp(now));
        }
        check.put("state", state).put("message", message);
    }

    static void reset(ObjectNode workload, Instant now) {
        for (var check : workload.path("status").path("admissionChecks")) {
            var state = Specs.text(check, "state");
            if (state.equals("Pending")) {
                continue;
            }
            put(
                    (ObjectNode) check,
                    "Pending",
                    "Reset to Pending after eviction. Previously: " + state,
                    now);
            ((ObjectNode) check).remove("podSetUpdates");
        }
    }

    static boolean ready(Resource workload, List<String> needed) {
        return needed.stream()
                .allMatch(
                        name ->
                                Workloads.check(workload, name)
                                        .filter(c -> Specs.text(c, "state").equals("Ready"))
                                        .isPresent());
    }
}
