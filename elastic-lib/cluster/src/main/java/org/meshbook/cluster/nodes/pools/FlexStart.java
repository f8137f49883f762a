package org.meshbook.cluster.nodes.pools;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Durations;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;

/// Grants capacity to ProvisioningRequests, after a while and for a while, as GKE's flex-start
/// does.
///
/// A request is accepted at once; its nodes come when its delay is over, or it fails with what the
/// terms say for it. Nodes live as long as their lease; then the capacity is revoked and they are
/// gone. A request that is deleted gives its nodes back once no pod runs on them.
public final class FlexStart implements Controller {
    /// The class whose requests it answers.
    public static final String CLASS = "queued-provisioning.gke.io";

    private static final String REQUEST = "autoscaling.x-k8s.io/consume-provisioning-request";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final InstantSource clock;
    private final Function<String, Optional<Offer>> offers;

    /// How many requests a pool has answered.
    private final Map<String, Integer> answered = new HashMap<>();

    /// A pool whose nodes may be asked for.
    ///
    /// @param pool the pool
    /// @param terms what requests may expect
    public record Offer(NodePool pool, Terms terms) {}

    /// What requests may expect, on the provider's clock.
    ///
    /// @param delay from the request to the nodes
    /// @param lease how long nodes live
    /// @param speed how many times faster that clock goes than the machine's
    /// @param failures why requests fail, in the order in which they are answered; `""` is one that
    ///   succeeds, and so do all after the last
    public record Terms(Duration delay, Duration lease, double speed, List<String> failures) {
        public Terms {
            failures = List.copyOf(failures);
        }

        /// @return a short delay, seven days, no failure
        public static Terms usual() {
            return new Terms(Duration.ofSeconds(5), Duration.ofDays(7), 1, List.of());
        }

        /// @return how long the delay is on the machine's clock
        Duration untilGranted() {
            return real(delay);
        }

        /// @return how long the lease is on the machine's clock
        Duration untilRevoked() {
            return real(lease);
        }

        private Duration real(Duration provided) {
            return Duration.ofNanos(Math.round(provided.toNanos() / speed));
        }
    }

    /// @param cluster where requests and nodes are
    /// @param clock wall time
    /// @param offers what is offered, by a pool's name; called each time it is asked for
    public FlexStart(
            Cluster cluster, InstantSource clock, Function<String, Optional<Offer>> offers) {
        this.cluster = cluster;
        this.clock = clock;
        this.offers = offers;
    }

    @Override
    public String name() {
        return "flex-start";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.PROVISIONING_REQUEST);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        return List.of(event.object().key());
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty()) {
            return giveBack(key);
        }
        var request = found.get();
        if (!request.text("spec", "provisioningClassName").equals(CLASS)
                || request.is("Failed")
                || request.is("CapacityRevoked")) {
            return Optional.empty();
        }
        var now = clock.instant();
        var offer = offers.apply(poolName(request));
        var terms = offer.map(Offer::terms).orElse(Terms.usual());
        if (request.is("Provisioned")) {
            return lease(request, terms, now);
        }
        if (!request.is("Accepted")) {
            return accept(request, terms, now);
        }
        var due = since(request, "Accepted").plus(terms.untilGranted());
        if (now.isBefore(due)) {
            return Optional.of(Duration.between(now, due));
        }
        return offer.isPresent() ? answer(request, offer.get(), now) : missing(request, now);
    }

    private static Instant since(Resource request, String type) {
        return request.condition(type)
                .map(c -> Instant.parse(c.path("lastTransitionTime").asString("")))
                .orElse(Instant.EPOCH);
    }

    private Optional<Duration> accept(Resource request, Terms terms, Instant now) {
        var eta = Conditions.stamp(now.plus(terms.untilGranted()));
        tell(request, "Accepted", true, "Accepted", "the request is queued", now);
        tell(
                cluster.find(request.key()).orElse(request),
                "Provisioned",
                false,
                "Pending",
                "waiting for capacity, ETA " + eta,
                now);
        return Optional.of(terms.untilGranted());
    }

    private Optional<Duration> missing(Resource request, Instant now) {
        tell(
                request,
                "Provisioned",
                false,
                "NoNodePool",
                "the provider has no node pool \"%s\" for this request; add it, or delete the request"
                        .formatted(poolName(request)),
                now);
        return Optional.of(LOOK_AGAIN);
    }

    private Optional<Duration> answer(Resource request, Offer offer, Instant now) {
        int turn = answered.merge(offer.pool().name(), 1, Integer::sum) - 1;
        var script = offer.terms().failures();
        var failure = turn < script.size() ? script.get(turn) : "";
        if (!failure.isEmpty()) {
            tell(request, "Failed", true, "OutOfCapacity", failure, now);
            return Optional.empty();
        }
        new NodePools(cluster).join(nodes(request, offer.pool()));
        tell(request, "Provisioned", true, "Provisioned", "capacity is provisioned", now);
        return Optional.of(offer.terms().untilRevoked());
    }

    private Optional<Duration> lease(Resource request, Terms terms, Instant now) {
        var left = Duration.between(now, since(request, "Provisioned").plus(terms.untilRevoked()));
        if (left.isPositive()) {
            return Optional.of(left);
        }
        new NodePools(cluster).drop(nodesOf(request.key()));
        tell(
                request,
                "CapacityRevoked",
                true,
                "LeaseEnded",
                "nodes of flex-start live for " + Durations.text(terms.lease()),
                now);
        return Optional.empty();
    }

    private void tell(
            Resource request, String type, boolean holds, String reason, String text, Instant now) {
        var told = request.with(json -> Conditions.put(json, type, holds, reason, text, now));
        if (!told.json().equals(request.json())) {
            cluster.updateStatus(told);
        }
    }

    private String poolName(Resource request) {
        return templates(request).stream()
                .map(
                        t ->
                                t.texts("template", "spec", "nodeSelector")
                                        .getOrDefault(NodePool.POOL, ""))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    private List<Resource> templates(Resource request) {
        return request.list("spec", "podSets").stream()
                .map(set -> set.path("podTemplateRef").path("name").asString(""))
                .flatMap(
                        name ->
                                cluster
                                        .find(Kinds.POD_TEMPLATE.key(request.namespace(), name))
                                        .stream())
                .toList();
    }

    /// As many slices as hold the pods that are asked for.
    private List<Resource> nodes(Resource request, NodePool pool) {
        int pods =
                request.list("spec", "podSets").stream()
                        .mapToInt(set -> set.path("count").asInt(0))
                        .sum();
        var nodes = new ArrayList<Resource>();
        var mark = request.uid().substring(0, Math.min(5, request.uid().length()));
        for (int i = 0; nodes.size() < pods; i++) {
            nodes.addAll(pool.onRequest().objects(mark + i));
        }
        return nodes.stream()
                .map(
                        node ->
                                node.with(
                                        json ->
                                                json.withObjectProperty("metadata")
                                                        .withObjectProperty("annotations")
                                                        .put(REQUEST, request.key().path())))
                .toList();
    }

    private List<Resource> nodesOf(ResourceKey request) {
        return cluster.list(Kinds.NODE, "").stream()
                .filter(node -> request.path().equals(node.annotations().get(REQUEST)))
                .toList();
    }

    private Optional<Duration> giveBack(ResourceKey request) {
        var nodes = nodesOf(request);
        var names = nodes.stream().map(Resource::name).toList();
        boolean busy =
                !nodes.isEmpty()
                        && cluster.list(Kinds.POD, "").stream()
                                .filter(pod -> names.contains(pod.text("spec", "nodeName")))
                                .map(pod -> pod.text("status", "phase"))
                                .anyMatch(p -> !p.equals("Succeeded") && !p.equals("Failed"));
        if (busy) {
            return Optional.of(LOOK_AGAIN);
        }
        new NodePools(cluster).drop(nodes);
        return Optional.empty();
    }
}
