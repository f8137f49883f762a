package org.meshbook.cluster.kueue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.queue.Amounts;
import org.meshbook.cluster.queue.FlavorResource;
import org.meshbook.cluster.queue.PodSet;
import org.meshbook.cluster.queue.PodsReady;
import org.meshbook.cluster.queue.Reservation;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.cluster.queue.Workload;
import tools.jackson.databind.JsonNode;

/// Workload objects: their names, and what the rules need to know of them.
final class Workloads {
    private static final int LONGEST = 253;
    private static final int HASH = 5;

    private Workloads() {}

    /// @return `KIND-NAME-HASH`, the same for the same job in each run
    static String name(Resource job, boolean elastic) {
        var kind = job.kind();
        var identity =
                String.join("\n", kind.kind(), kind.group(), job.name(), job.uid())
                        + (elastic ? "\n" + job.generation() + size(job) : "");
        return shortened(kind.kind().toLowerCase(Locale.ROOT) + "-" + job.name(), identity);
    }

    private static String size(Resource job) {
        return job.annotations().getOrDefault(Marks.RAY_GENERATION, "");
    }

    static String shortened(String base, String identity) {
        var most = LONGEST - HASH - 1;
        return (base.length() > most ? base.substring(0, most) : base) + "-" + hash(identity, HASH);
    }

    /// @return the first hexadecimal digits of a text's hash
    static String hash(String text, int digits) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-1")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, digits);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static ResourceKey localQueue(Resource workload) {
        return Kinds.LOCAL_QUEUE.key(workload.namespace(), workload.text("spec", "queueName"));
    }

    static String id(Resource workload) {
        return workload.key().path();
    }

    static ResourceKey key(String id) {
        int slash = id.indexOf('/');
        return Kinds.WORKLOAD.key(id.substring(0, slash), id.substring(slash + 1));
    }

    static boolean active(Resource workload) {
        return workload.at("spec", "active").asBoolean(true);
    }

    static boolean reserves(Resource workload) {
        return workload.is(Marks.QUOTA_RESERVED)
                && !workload.at("status", "admission").isMissingNode();
    }

    static int priority(Resource workload) {
        return workload.at("spec", "priority").asInt(0);
    }

    static String jobUid(Resource workload) {
        return workload.labels().getOrDefault(Marks.JOB_UID, "UNKNOWN");
    }

    /// Since when it waits. Those that lost their place for reasons of their own go to the end.
    static Instant queuedAt(Resource workload, Rules rules) {
        var created = workload.created().orElse(Instant.EPOCH);
        var reason = Writer.reason(workload, Marks.EVICTED);
        boolean fault =
                reason.equals(Marks.ADMISSION_CHECK)
                        || (reason.equals("PodsReadyTimeout")
                                && rules.podsReady().map(PodsReady::fromEviction).orElse(true));
        return workload.is(Marks.EVICTED) && fault
                ? Writer.since(workload, Marks.EVICTED).orElse(created)
                : created;
    }

    static Workload pending(Resource workload, String queue, Rules rules) {
        var reclaimed = reclaimed(workload);
        var podSets = new ArrayList<PodSet>();
        for (var podSet : workload.list("spec", "podSets")) {
            var name = Specs.text(podSet, "name");
            int gone = reclaimed.getOrDefault(name, 0);
            int count = podSet.path("count").asInt(1) - gone;
            int least = Math.min(count, podSet.path("minCount").asInt(count));
            var template = podSet.path("template").path("spec");
            podSets.add(
                    new PodSet(
                            name, count, least, PodRequests.of(template), Specs.rules(template)));
        }
        return new Workload(
                id(workload),
                workload.uid(),
                queue,
                priority(workload),
                queuedAt(workload, rules),
                podSets,
                Optional.ofNullable(workload.annotations().get(Marks.REPLACES)));
    }

    private static Map<String, Integer> reclaimed(Resource workload) {
        var reclaimed = new HashMap<String, Integer>();
        workload.list("status", "reclaimablePods")
                .forEach(r -> reclaimed.put(Specs.text(r, "name"), r.path("count").asInt(0)));
        return reclaimed;
    }

    /// @return what a workload holds that has a reservation
    static Reservation reservation(Resource workload, Rules rules) {
        var reclaimed = reclaimed(workload);
        var held = new HashMap<String, Map<FlavorResource, Long>>();
        var usage = new HashMap<FlavorResource, Long>();
        for (var podSet : workload.list("status", "admission", "podSetAssignments")) {
            var name = Specs.text(podSet, "name");
            int count = Math.max(1, podSet.path("count").asInt(1));
            int left = Math.max(0, count - reclaimed.getOrDefault(name, 0));
            var mine = new HashMap<FlavorResource, Long>();
            for (var e : podSet.path("flavors").properties()) {
                var resource = e.getKey();
                long all = amount(resource, podSet.path("resourceUsage").path(resource));
                mine.put(
                        new FlavorResource(e.getValue().asString(""), resource),
                        left == count ? all : all / count * left);
            }
            held.put(name, mine);
            mine.forEach((fr, amount) -> usage.merge(fr, amount, Long::sum));
        }
        return new Reservation(
                id(workload),
                workload.uid(),
                workload.text("status", "admission", "clusterQueue"),
                priority(workload),
                queuedAt(workload, rules),
                Writer.since(workload, Marks.QUOTA_RESERVED).orElse(Instant.EPOCH),
                workload.is(Marks.EVICTED),
                usage,
                held);
    }

    private static long amount(String resource, JsonNode quantity) {
        return Amounts.of(resource, Quantity.parse(quantity.asString("0")));
    }

    static List<String> flavors(Resource workload) {
        return workload.list("status", "admission", "podSetAssignments").stream()
                .flatMap(p -> p.path("flavors").values().stream())
                .map(f -> f.asString(""))
                .distinct()
                .toList();
    }

    /// @return requests of all pods of a pod set, to be shown
    static SortedMap<String, String> total(PodSet podSet) {
        var total = new TreeMap<String, String>();
        podSet.requests()
                .forEach(
                        (resource, amount) ->
                                total.put(
                                        resource,
                                        Amounts.quantity(resource, amount * podSet.count())
                                                .toString()));
        return total;
    }

    static Optional<JsonNode> check(Resource workload, String name) {
        return workload.list("status", "admissionChecks").stream()
                .filter(c -> Specs.text(c, "name").equals(name))
                .findFirst();
    }

    static @Nullable JsonNode checkIn(Resource workload, String state) {
        return workload.list("status", "admissionChecks").stream()
                .filter(c -> Specs.text(c, "state").equals(state))
                .findFirst()
                .orElse(null);
    }
}
