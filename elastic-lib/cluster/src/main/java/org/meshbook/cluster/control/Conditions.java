package org.meshbook.cluster.control;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/// Conditions in an object's status, and times as Kubernetes writes them.
public final class Conditions {
    private Conditions() {}

    /// Sets a condition; the time of its last change stays if its status does.
    ///
    /// @param object the whole object, edited
    /// @param type type
    /// @param holds whether it is `True`, else `False`
    /// @param reason one word
    /// @param message a sentence
    /// @param now present time
    public static void put(
            ObjectNode object,
            String type,
            boolean holds,
            String reason,
            String message,
            Instant now) {
        var conditions = object.withObjectProperty("status").withArrayProperty("conditions");
        var status = holds ? "True" : "False";
        ObjectNode condition = null;
        for (var candidate : conditions) {
            if (candidate.path("type").asString("").equals(type)) {
                condition = (ObjectNode) candidate;
            }
        }
        if (condition == null) {
            condition = conditions.addObject().put("type", type);
        }
        if (!condition.path("status").asString("").equals(status)) {
            condition.put("lastTransitionTime", stamp(now));
        }
        condition.put("status", status).put("reason", reason).put("message", message);
    }

    /// @param time a time
    /// @return as objects carry it, in whole seconds
    public static String stamp(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
