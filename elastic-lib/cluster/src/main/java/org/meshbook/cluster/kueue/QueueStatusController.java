package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.queue.Amounts;
import org.meshbook.cluster.queue.FlavorResource;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes the status of ClusterQueues and LocalQueues, and keeps what is in use from being deleted.
final class QueueStatusController implements Controller {
    private final Cluster cluster;
    private final InstantSource clock;
    private final Rules rules;
    private final Ledger ledger;
    private final Writer writer;

    QueueStatusController(Cluster cluster, InstantSource clock, Ledger ledger, Rules rules) {
        this.cluster = cluster;
        this.clock = clock;
        this.rules = rules;
        this.ledger = ledger;
        writer = new Writer(cluster);
    }

    @Override
    public String name() {
        return "kueue-queue-status";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(
                Kinds.CLUSTER_QUEUE,
                Kinds.LOCAL_QUEUE,
                Kinds.RESOURCE_FLAVOR,
                Kinds.ADMISSION_CHECK,
                Kinds.WORKLOAD);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        var key = object.key();
        var kind = key.kind();
        if (kind.equals(Kinds.LOCAL_QUEUE)) {
            return List.of(key);
        }
        if (kind.equals(Kinds.CLUSTER_QUEUE)) {
            var keys = new ArrayList<>(List.of(key));
            cluster.list(Kinds.LOCAL_QUEUE, "").stream()
                    .filter(l -> l.text("spec", "clusterQueue").equals(key.name()))
                    .forEach(l -> keys.add(l.key()));
            flavors(object).forEach(f -> keys.add(Kinds.RESOURCE_FLAVOR.key("", f)));
            return keys;
        }
        if (kind.equals(Kinds.WORKLOAD)) {
            var local = Workloads.localQueue(object);
            var keys = new ArrayList<>(List.of(local));
            var held = object.text("status", "admission", "clusterQueue");
            cluster.find(local)
                    .map(l -> l.text("spec", "clusterQueue"))
                    .ifPresent(q -> keys.add(Kinds.CLUSTER_QUEUE.key("", q)));
            if (!held.isEmpty()) {
                keys.add(Kinds.CLUSTER_QUEUE.key("", held));
            }
            return keys;
        }
        var keys = new ArrayList<ResourceKey>();
        if (kind.equals(Kinds.RESOURCE_FLAVOR)) {
            keys.add(key);
        }
        cluster.list(Kinds.CLUSTER_QUEUE, "").forEach(q -> keys.add(q.key()));
        return keys;
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var object = found.get();
        if (key.kind().equals(Kinds.RESOURCE_FLAVOR)) {
            hold(object, () -> !used(key.name()));
        } else if (key.kind().equals(Kinds.CLUSTER_QUEUE)) {
            var sums = ledger.of(key);
            hold(object, () -> ledger.of(key).reserving == 0);
            writer.status(key, json -> putQueue(json, object, sums));
        } else {
            var queue =
                    cluster.find(Kinds.CLUSTER_QUEUE.key("", object.text("spec", "clusterQueue")));
            var health = queue.map(q -> Health.of(cluster, q, rules));
            writer.status(
                    key,
                    json -> {
                        putCounts(json, ledger.of(key));
                        putUsage(json, queue, ledger.of(key));
                        put(json, object, Health.ofLocal(object, health));
                    });
        }
        return Optional.empty();
    }

    private boolean used(String flavor) {
        return cluster.list(Kinds.CLUSTER_QUEUE, "").stream()
                .anyMatch(q -> flavors(q).contains(flavor));
    }

    private static List<String> flavors(Resource queue) {
        return queue.list("spec", "resourceGroups").stream()
                .flatMap(g -> g.path("flavors").values().stream())
                .map(f -> Specs.text(f, "name"))
                .distinct()
                .toList();
    }

    /// A finalizer keeps an object as long as it is in use.
    private void hold(Resource object, BooleanSupplier free) {
        boolean held =
                object.list("metadata", "finalizers").stream()
                        .anyMatch(f -> f.asString("").equals(Marks.IN_USE));
        if (!object.deleting() && !held) {
            writer.object(
                    object.key(),
                    json ->
                            json.withObjectProperty("metadata")
                                    .withArrayProperty("finalizers")
                                    .add(Marks.IN_USE));
        } else if (object.deleting() && held && free.getAsBoolean()) {
            writer.object(
                    object.key(),
                    json -> {
                        if (json.path("metadata").path("finalizers") instanceof ArrayNode list) {
                            list.removeIf(n -> n.asString("").equals(Marks.IN_USE));
                        }
                    });
        }
    }

    private void putQueue(ObjectNode json, Resource queue, Ledger.Sums sums) {
        putCounts(json, sums);
        var status = json.withObjectProperty("status");
        putFlavors(status.putArray("flavorsReservation"), queue, sums.reserved, true);
        putFlavors(status.putArray("flavorsUsage"), queue, sums.used, true);
        put(json, queue, Health.of(cluster, queue, rules));
    }

    private static void putCounts(ObjectNode json, Ledger.Sums sums) {
        json.withObjectProperty("status")
                .put("pendingWorkloads", sums.pending)
                .put("reservingWorkloads", sums.reserving)
                .put("admittedWorkloads", sums.admitted);
    }

    private void putUsage(ObjectNode json, Optional<Resource> queue, Ledger.Sums sums) {
        var status = json.withObjectProperty("status");
        queue.ifPresent(
                q -> {
                    putFlavors(status.putArray("flavorsReservation"), q, sums.reserved, false);
                    putFlavors(status.putArray("flavorsUsage"), q, sums.used, false);
                });
    }

    private void putFlavors(
            ArrayNode list, Resource queue, Map<FlavorResource, Long> amounts, boolean borrowed) {
        for (var group : queue.list("spec", "resourceGroups")) {
            for (var flavor : group.path("flavors").values()) {
                var name = Specs.text(flavor, "name");
                var resources = list.addObject().put("name", name).putArray("resources");
                for (var quota : flavor.path("resources").values()) {
                    put(resources.addObject(), name, quota, amounts, borrowed);
                }
            }
        }
    }

    private void put(
            ObjectNode node,
            String flavor,
            JsonNode quota,
            Map<FlavorResource, Long> amounts,
            boolean borrowed) {
        var resource = Specs.text(quota, "name");
        long total = amounts.getOrDefault(new FlavorResource(flavor, resource), 0L);
        node.put("name", resource).put("total", Amounts.quantity(resource, total).toString());
        if (borrowed) {
            long own =
                    Amounts.of(resource, Quantity.parse(quota.path("nominalQuota").asString("0")));
            long above = Math.max(0, total - own);
            node.put("borrowed", Amounts.quantity(resource, above).toString());
        }
    }

    private void put(ObjectNode json, Resource queue, Health health) {
        Conditions.put(
                json,
                Marks.ACTIVE,
                health.active(),
                health.reason(),
                health.message(),
                clock.instant());
        for (var condition : json.path("status").path("conditions")) {
            if (Specs.text(condition, "type").equals(Marks.ACTIVE)) {
                ((ObjectNode) condition).put("observedGeneration", queue.generation());
            }
        }
    }
}
