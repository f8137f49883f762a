package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.control.Owners;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The admission check that asks an autoscaler for nodes: one ProvisioningRequest after another,
/// until one is granted or the retries are used up.
final class ProvisioningController implements Controller {
    private static final String RETRYING = "Retrying after failure: ";
    private static final String NOT_NEEDED = "the provisioning request is not needed";

    private final Cluster cluster;
    private final InstantSource clock;
    private final Rules rules;
    private final Writer writer;
    private final EventRecorder events;
    private final ProvisioningRequests requests;

    /// What a ProvisioningRequestConfig says about retries.
    private record Retries(int limit, Duration base, Duration most) {
        static Retries of(Resource config) {
            var node = config.at("spec", "retryStrategy");
            return new Retries(
                    node.path("backoffLimitCount").asInt(3),
                    Duration.ofSeconds(node.path("backoffBaseSeconds").asInt(60)),
                    Duration.ofSeconds(node.path("backoffMaxSeconds").asInt(1800)));
        }

        Duration backOff(int attempt) {
            var wait = base.multipliedBy(1L << Math.min(attempt - 1, 30));
            return wait.compareTo(most) < 0 ? wait : most;
        }
    }

    ProvisioningController(Cluster cluster, InstantSource clock, Rules rules) {
        this.cluster = cluster;
        this.clock = clock;
        this.rules = rules;
        writer = new Writer(cluster);
        requests = new ProvisioningRequests(cluster);
        events = Kueue.events(cluster, clock, "kueue-provisioning-request-controller", rules);
    }

    @Override
    public String name() {
        return "kueue-provisioning";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(
                Kinds.WORKLOAD,
                Kinds.PROVISIONING_REQUEST,
                Kinds.ADMISSION_CHECK,
                Kinds.PROVISIONING_REQUEST_CONFIG);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        var kind = object.key().kind();
        if (kind.equals(Kinds.PROVISIONING_REQUEST)) {
            return Owners.of(object, Kinds.WORKLOAD);
        }
        if (kind.equals(Kinds.PROVISIONING_REQUEST_CONFIG)) {
            return cluster.list(Kinds.ADMISSION_CHECK, "").stream().map(Resource::key).toList();
        }
        return List.of(object.key());
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (key.kind().equals(Kinds.ADMISSION_CHECK)) {
            serve(found.get());
            return Optional.empty();
        }
        var workload = found.get();
        if (workload.is(Marks.FINISHED) || workload.deleting()) {
            return Optional.empty();
        }
        for (var check : workload.list("status", "admissionChecks")) {
            var name = Specs.text(check, "name");
            var config = config(name);
            if (config.isPresent()) {
                follow(workload, check, config.get());
            }
        }
        return Optional.empty();
    }

    // ---- the check itself

    private void serve(Resource check) {
        if (!check.text("spec", "controllerName").equals(Marks.PROVISIONING_CONTROLLER)) {
            return;
        }
        boolean good = config(check.name()).isPresent();
        writer.status(
                check.key(),
                json ->
                        Conditions.put(
                                json,
                                Marks.ACTIVE,
                                good,
                                good ? "Active" : "BadParametersRef",
                                good
                                        ? "The admission check is active"
                                        : "Bad admission check parameters reference",
                                clock.instant()));
    }

    private Optional<Resource> config(String check) {
        return cluster.find(Kinds.ADMISSION_CHECK.key("", check))
                .filter(c -> c.text("spec", "controllerName").equals(Marks.PROVISIONING_CONTROLLER))
                .map(c -> c.text("spec", "parameters", "name"))
                .flatMap(n -> cluster.find(Kinds.PROVISIONING_REQUEST_CONFIG.key("", n)));
    }

    // ---- one workload and one check

    private void follow(Resource workload, JsonNode check, Resource config) {
        var name = Specs.text(check, "name");
        var state = Specs.text(check, "state");
        boolean holds = Workloads.reserves(workload) && !workload.is(Marks.EVICTED);
        var podSets = ProvisioningRequests.podSets(workload, config);
        int attempt = attempt(workload, check);
        var request =
                Kinds.PROVISIONING_REQUEST.key(
                        workload.namespace(), ProvisioningRequests.name(workload, name, attempt));
        if (holds && state.equals("Pending")) {
            if (podSets.isEmpty()) {
                put(workload, name, "Ready", NOT_NEEDED, List.of());
                return;
            }
            if (cluster.find(request).isEmpty()) {
                ask(workload, name, attempt, podSets, config);
                return;
            }
        }
        var asked = cluster.find(request);
        if (asked.isPresent() && holds) {
            hear(workload, check, asked.get(), config, attempt);
        } else if (!holds && rules.cleansProvisioningRequests()) {
            requests.of(workload, name).forEach(requests::delete);
        }
    }

    private static int attempt(Resource workload, JsonNode check) {
        int before =
                check.has("retryCount")
                        ? check.path("retryCount").asInt(0)
                        : workload.at("status", "requeueState", "count").asInt(0);
        boolean over = !Specs.text(check, "state").equals("Pending");
        return Math.max(1, over && before > 0 ? before : before + 1);
    }

    // ---- asking

    private void ask(
            Resource workload, String check, int attempt, List<JsonNode> podSets, Resource config) {
        var made = requests.ask(workload, check, attempt, podSets, config);
        if (made.isEmpty()) {
            return;
        }
        var name = made.get().name();
        events.normal(
                workload,
                "ProvisioningRequestCreated",
                "Created ProvisioningRequest: \"%s\"".formatted(name));
        var earlier =
                requests.of(workload, check).stream().filter(r -> !r.name().equals(name)).toList();
        remember(workload, check, earlier);
        earlier.forEach(requests::delete);
    }

    /// Until there is word of the new request the check says why the last one failed; 0.19 forgets
    /// it (OV16).
    private void remember(Resource workload, String check, List<Resource> earlier) {
        if (rules.checkTexts()) {
            writer.status(
                    workload.key(),
                    json -> check(json, check).ifPresent(c -> c.put("message", "")));
            return;
        }
        earlier.stream()
                .flatMap(
                        r ->
                                Stream.of("Failed", "BookingExpired")
                                        .filter(r::is)
                                        .map(t -> Writer.message(r, t)))
                .findFirst()
                .ifPresent(text -> put(workload, check, "Pending", RETRYING + text, List.of()));
    }

    // ---- hearing

    private void hear(
            Resource workload, JsonNode check, Resource request, Resource config, int attempt) {
        var name = Specs.text(check, "name");
        boolean admitted = workload.is(Marks.ADMITTED);
        if (request.is("CapacityRevoked")) {
            put(workload, name, "Rejected", Writer.message(request, "CapacityRevoked"), List.of());
        } else if (request.is("Failed") && !admitted) {
            fail(workload, check, Writer.message(request, "Failed"), config, attempt);
        } else if (request.is("BookingExpired") && !admitted) {
            fail(workload, check, Writer.message(request, "BookingExpired"), config, attempt);
        } else if (request.is("Provisioned")) {
            put(
                    workload,
                    name,
                    "Ready",
                    Writer.message(request, "Provisioned"),
                    updates(workload, request, config));
        } else if (request.is("Accepted") && Writer.isFalse(request, "Provisioned")) {
            put(workload, name, "Pending", Writer.message(request, "Provisioned"), List.of());
        }
    }

    private List<ObjectNode> updates(Resource workload, Resource request, Resource config) {
        var updates = new ArrayList<ObjectNode>();
        for (var podSet : ProvisioningRequests.podSets(workload, config)) {
            var update = JsonNodeFactory.instance.objectNode();
            update.put("name", Specs.text(podSet, "name"));
            update.putObject("annotations")
                    .put("autoscaling.x-k8s.io/consume-provisioning-request", request.name())
                    .put(
                            "autoscaling.x-k8s.io/provisioning-class-name",
                            request.text("spec", "provisioningClassName"));
            for (var rule : config.list("spec", "podSetUpdates", "nodeSelector")) {
                var value =
                        request.text(
                                "status",
                                "provisioningClassDetails",
                                Specs.text(rule, "valueFromProvisioningClassDetail"));
                if (!value.isEmpty()) {
                    update.withObjectProperty("nodeSelector").put(Specs.text(rule, "key"), value);
                }
            }
            updates.add(update);
        }
        return updates;
    }

    /// A request failed: another one after a back-off, or none any more.
    private void fail(
            Resource workload, JsonNode check, String message, Resource config, int attempt) {
        var name = Specs.text(check, "name");
        if (!Specs.text(check, "state").equals("Pending")) {
            return;
        }
        var retries = Retries.of(config);
        if (attempt > retries.limit()) {
            put(workload, name, "Rejected", message, List.of());
            return;
        }
        var now = clock.instant();
        var wait = retries.backOff(attempt);
        var since = Instant.parse(Specs.text(check, "lastTransitionTime"));
        var at = (rules.backOffSincePending() ? since : now).plus(wait);
        writer.status(
                workload.key(),
                json -> {
                    check(json, name)
                            .ifPresent(
                                    c -> {
                                        Checks.put(c, "Retry", RETRYING + message, now);
                                        if (rules.backOffSincePending()) {
                                            c.put("retryCount", attempt)
                                                    .put("requeueAfterSeconds", wait.toSeconds());
                                        }
                                    });
                    json.withObjectProperty("status")
                            .withObjectProperty("requeueState")
                            .put("count", attempt)
                            .put("requeueAt", Conditions.stamp(at));
                });
    }

    private void put(
            Resource workload,
            String name,
            String state,
            String message,
            List<ObjectNode> updates) {
        var before = Workloads.check(workload, name);
        var was = before.map(c -> Specs.text(c, "state")).orElse("");
        var said = before.map(c -> Specs.text(c, "message")).orElse("");
        if (was.equals(state) && said.equals(message)) {
            return;
        }
        writer.status(
                workload.key(),
                json ->
                        check(json, name)
                                .ifPresent(
                                        c -> {
                                            Checks.put(c, state, message, clock.instant());
                                            if (!updates.isEmpty()) {
                                                c.putArray("podSetUpdates").addAll(updates);
                                            }
                                        }));
        if (!was.equals(state)) {
            events.normal(
                    workload,
                    "AdmissionCheckUpdated",
                    "Admission check %s updated state from %s to %s with message: %s"
                            .formatted(name, was, state, message));
        } else {
            Owners.of(workload)
                    .flatMap(cluster::find)
                    .ifPresent(
                            job ->
                                    events.normal(
                                            job,
                                            "UpdatedAdmissionCheck",
                                            "%s: %s".formatted(name, message)));
        }
    }

    private static Optional<ObjectNode> check(ObjectNode workload, String name) {
        for (var check : workload.path("status").path("admissionChecks")) {
            if (Specs.text(check, "name").equals(name)) {
                return Optional.of((ObjectNode) check);
            }
        }
        return Optional.empty();
    }
}
