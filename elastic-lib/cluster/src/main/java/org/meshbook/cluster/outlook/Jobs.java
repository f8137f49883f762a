package org.meshbook.cluster.outlook;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// The job behind a workload, and what its conditions tell.
final class Jobs {
    private Jobs() {}

    private static Optional<JsonNode> owner(Resource workload) {
        return workload.list("metadata", "ownerReferences").stream().findFirst();
    }

    /// @return the job's name; the workload's own if nobody owns it
    static String name(Resource workload) {
        return owner(workload).map(o -> o.path("name").asString("")).orElse(workload.name());
    }

    /// @return its kind in small letters, as `%delete` takes it
    static String kind(Resource workload) {
        return owner(workload)
                .map(o -> o.path("kind").asString("").toLowerCase(Locale.ROOT))
                .orElse("workload");
    }

    static String message(Resource object, String condition) {
        return object.condition(condition).map(c -> c.path("message").asString("")).orElse("");
    }

    static String reason(Resource object, String condition) {
        return object.condition(condition).map(c -> c.path("reason").asString("")).orElse("");
    }

    static Optional<Instant> since(Resource object, String condition) {
        return object.condition(condition)
                .map(c -> c.path("lastTransitionTime").asString(""))
                .filter(text -> !text.isEmpty())
                .map(Instant::parse);
    }

    static boolean isFalse(Resource object, String condition) {
        return object.condition(condition)
                .filter(c -> c.path("status").asString("").equals("False"))
                .isPresent();
    }
}
