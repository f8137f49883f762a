package org.meshbook.cluster.print;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.print.Tables.Column;
import tools.jackson.databind.JsonNode;

/// The columns of the server's own kinds.
///
/// Source: `pkg/printers/internalversion` of Kubernetes 1.35.
final class BuiltinColumns {
    private static final String NONE = "<none>";

    private BuiltinColumns() {}

    static Optional<List<Column>> of(ResourceKind kind) {
        return Optional.ofNullable(
                switch (kind.kind()) {
                    case "Pod" -> PODS;
                    case "Job" -> JOBS;
                    case "Node" -> NODES;
                    case "Namespace" -> NAMESPACES;
                    case "Service" -> SERVICES;
                    case "ConfigMap" -> CONFIG_MAPS;
                    case "PriorityClass" -> PRIORITY_CLASSES;
                    case "Event" -> EVENTS;
                    default -> null;
                });
    }

    private static final Column NAME = Column.of("NAME", (object, _) -> object.name());

    private static final List<Column> PODS =
            List.of(
                    NAME,
                    Column.of("READY", (pod, _) -> PodCells.ready(pod)),
                    Column.of("STATUS", (pod, _) -> PodCells.status(pod)),
                    Column.of("RESTARTS", PodCells::restarts),
                    Tables.AGE,
                    Column.wide("IP", (pod, _) -> or(pod.text("status", "podIP"))),
                    Column.wide("NODE", (pod, _) -> or(pod.text("spec", "nodeName"))),
                    Column.wide(
                            "NOMINATED NODE",
                            (pod, _) -> or(pod.text("status", "nominatedNodeName"))),
                    Column.wide("READINESS GATES", (_, _) -> NONE));

    private static final List<Column> JOBS =
            List.of(
                    NAME,
                    Column.of("STATUS", (job, _) -> jobStatus(job)),
                    Column.of("COMPLETIONS", (job, _) -> completions(job)),
                    Column.of("DURATION", BuiltinColumns::duration),
                    Tables.AGE,
                    Column.wide("CONTAINERS", (job, _) -> containers(job, "name")),
                    Column.wide("IMAGES", (job, _) -> containers(job, "image")),
                    Column.wide(
                            "SELECTOR",
                            (job, _) -> pairs(job.at("spec", "selector", "matchLabels"))));

    private static final List<Column> NODES =
            List.of(
                    NAME,
                    Column.of("STATUS", (node, _) -> nodeStatus(node)),
                    Column.of("ROLES", (node, _) -> roles(node)),
                    Tables.AGE,
                    Column.of(
                            "VERSION",
                            (node, _) -> node.text("status", "nodeInfo", "kubeletVersion")),
                    Column.wide("INTERNAL-IP", (node, _) -> address(node, "InternalIP")),
                    Column.wide("EXTERNAL-IP", (node, _) -> address(node, "ExternalIP")),
                    Column.wide("OS-IMAGE", (node, _) -> info(node, "osImage")),
                    Column.wide("KERNEL-VERSION", (node, _) -> info(node, "kernelVersion")),
                    Column.wide(
                            "CONTAINER-RUNTIME",
                            (node, _) -> info(node, "containerRuntimeVersion")));

    private static final List<Column> NAMESPACES =
            List.of(
                    NAME,
                    Column.of("STATUS", (space, _) -> space.text("status", "phase")),
                    Tables.AGE);

    private static final List<Column> SERVICES =
            List.of(
                    NAME,
                    Column.of("TYPE", (service, _) -> service.text("spec", "type")),
                    Column.of("CLUSTER-IP", (service, _) -> or(service.text("spec", "clusterIP"))),
                    Column.of("EXTERNAL-IP", (_, _) -> NONE),
                    Column.of("PORT(S)", (service, _) -> ports(service)),
                    Tables.AGE,
                    Column.wide("SELECTOR", (service, _) -> pairs(service.at("spec", "selector"))));

    private static final List<Column> CONFIG_MAPS =
            List.of(
                    NAME,
                    Column.of(
                            "DATA",
                            (map, _) ->
                                    String.valueOf(
                                            map.at("data").size() + map.at("binaryData").size())),
                    Tables.AGE);

    private static final List<Column> PRIORITY_CLASSES =
            List.of(
                    NAME,
                    Column.of("VALUE", (found, _) -> found.at("value").asString("0")),
                    Column.of(
                            "GLOBAL-DEFAULT",
                            (found, _) -> found.at("globalDefault").asString("false")),
                    Tables.AGE,
                    Column.of("PREEMPTIONPOLICY", (found, _) -> found.text("preemptionPolicy")));

    private static final List<Column> EVENTS =
            List.of(
                    Column.of("LAST SEEN", EventCells::lastSeen),
                    Column.of("TYPE", (event, _) -> event.text("type")),
                    Column.of("REASON", (event, _) -> event.text("reason")),
                    Column.of("OBJECT", (event, _) -> object(event)),
                    Column.wide(
                            "SUBOBJECT", (event, _) -> event.text("involvedObject", "fieldPath")),
                    Column.wide("SOURCE", (event, _) -> EventCells.source(event)),
                    Column.of("MESSAGE", (event, _) -> event.text("message").strip()),
                    Column.wide("FIRST SEEN", EventCells::firstSeen),
                    Column.wide("COUNT", (event, _) -> String.valueOf(EventCells.count(event))),
                    Column.wide("NAME", (event, _) -> event.name()));

    private static String or(String text) {
        return text.isEmpty() ? NONE : text;
    }

    private static String jobStatus(Resource job) {
        if (job.is("Complete")) {
            return "Complete";
        }
        if (job.is("Failed")) {
            return "Failed";
        }
        if (job.deleting()) {
            return "Terminating";
        }
        if (job.is("Suspended")) {
            return "Suspended";
        }
        if (job.is("FailureTarget")) {
            return "FailureTarget";
        }
        return job.is("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
    }

    private static String completions(Resource job) {
        int succeeded = job.at("status", "succeeded").asInt(0);
        var wanted = job.at("spec", "completions");
        if (!wanted.isMissingNode()) {
            return succeeded + "/" + wanted.asInt();
        }
        int parallel = job.at("spec", "parallelism").asInt(0);
        return parallel > 1 ? succeeded + "/1 of " + parallel : succeeded + "/1";
    }

    private static String duration(Resource job, Instant now) {
        return job.time("status", "startTime")
                .map(
                        start ->
                                Age.of(
                                        Duration.between(
                                                start,
                                                job.time("status", "completionTime").orElse(now))))
                .orElse("");
    }

    private static String containers(Resource job, String field) {
        return job.list("spec", "template", "spec", "containers").stream()
                .map(container -> container.path(field).asString(""))
                .collect(joining(","));
    }

    private static String pairs(JsonNode map) {
        return or(
                map.properties().stream()
                        .map(e -> e.getKey() + "=" + e.getValue().asString(""))
                        .sorted()
                        .collect(joining(",")));
    }

    private static String nodeStatus(Resource node) {
        var ready =
                node.condition("Ready")
                        .map(
                                c ->
                                        c.path("status").asString("").equals("True")
                                                ? "Ready"
                                                : "NotReady")
                        .orElse("Unknown");
        boolean cordoned = node.at("spec", "unschedulable").asBoolean(false);
        return cordoned ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(Resource node) {
        var prefix = "node-role.kubernetes.io/";
        return or(
                node.labels().keySet().stream()
                        .filter(label -> label.startsWith(prefix))
                        .map(label -> label.substring(prefix.length()))
                        .sorted()
                        .collect(joining(",")));
    }

    private static String address(Resource node, String type) {
        return node.list("status", "addresses").stream()
                .filter(a -> a.path("type").asString("").equals(type))
                .map(a -> a.path("address").asString(""))
                .findFirst()
                .orElse(NONE);
    }

    private static String info(Resource node, String field) {
        var text = node.text("status", "nodeInfo", field);
        return text.isEmpty() ? "<unknown>" : text;
    }

    private static String ports(Resource service) {
        return or(
                service.list("spec", "ports").stream()
                        .map(BuiltinColumns::port)
                        .collect(joining(",")));
    }

    private static String port(JsonNode port) {
        var node = port.path("nodePort").asInt(0) > 0 ? ":" + port.path("nodePort").asInt() : "";
        return port.path("port").asInt() + node + "/" + port.path("protocol").asString("TCP");
    }

    private static String object(Resource event) {
        var kind = event.text("involvedObject", "kind").toLowerCase(Locale.ROOT);
        return kind + "/" + event.text("involvedObject", "name");
    }
}
