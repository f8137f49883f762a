package org.meshbook.cluster.jobs.set;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.node.ObjectNode;

/// Gives each job of a JobSet a topology domain, such as a node pool, of its own.
///
/// A job's first pod leads: it must find a domain without another job's pods, though only pods of
/// its own priority keep it away, so that a more important job may drive a lesser one out. The
/// others follow: they are refused until their leader is bound, and then are tied to its domain. A
/// follower that is tied to another domain is taken away.
///
/// A leader that is ending, or that belongs to an earlier job of the name, leads nobody.
public final class ExclusivePlacement implements AdmissionHook, Controller {
    private final Supplier<Cluster> clusters;
    private final InstantSource clock;

    /// @param clusters gives the cluster, once it is there
    /// @param clock wall time
    public ExclusivePlacement(Supplier<Cluster> clusters, InstantSource clock) {
        this.clusters = clusters;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "pod.kb.io";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(Kinds.POD);
    }

    @Override
    public Resource mutate(Review review) {
        var pod = review.object();
        if (review.before().isPresent() || !pod.labels().containsKey(Keys.JOB_SET)) {
            return pod;
        }
        var key = topology(pod);
        return pod.with(
                json -> {
                    var priority = Integer.toString(pod.at("spec", "priority").asInt(0));
                    json.withObjectProperty("metadata")
                            .withObjectProperty("labels")
                            .put(Keys.PRIORITY, priority);
                    if (key.isEmpty()) {
                        return;
                    }
                    if (leads(pod)) {
                        keepApart(json, pod, key.get(), priority);
                    } else {
                        domain(pod, key.get())
                                .ifPresent(
                                        domain ->
                                                json.withObjectProperty("spec")
                                                        .withObjectProperty("nodeSelector")
                                                        .put(key.get(), domain));
                    }
                });
    }

    @Override
    public List<String> validate(Review review) {
        var pod = review.object();
        var key = topology(pod);
        if (review.before().isPresent() || key.isEmpty() || leads(pod)) {
            return List.of();
        }
        var selector = pod.at("spec", "nodeSelector");
        if (selector.isMissingNode()) {
            return List.of("follower pod node selector not set");
        }
        if (!selector.has(key.get())) {
            return List.of(
                    "follower pod node selector for topology domain not found. missing selector: "
                            + key.get());
        }
        return leader(pod).isPresent()
                ? List.of()
                : List.of(
                        "leader pod not yet scheduled, not creating follower pod. this is an"
                                + " expected, transient error");
    }

    private static Optional<String> topology(Resource pod) {
        return Optional.ofNullable(pod.annotations().get(Keys.EXCLUSIVE));
    }

    private static boolean leads(Resource pod) {
        return pod.annotations().getOrDefault(Keys.INDEX, "").equals("0");
    }

    private static void keepApart(ObjectNode json, Resource pod, String key, String priority) {
        var affinity = json.withObjectProperty("spec").withObjectProperty("affinity");
        var mine = pod.labels().getOrDefault(Keys.JOB_KEY, "");
        var with = term(affinity.withObjectProperty("podAffinity"), key);
        expression(with, Keys.JOB_KEY, "In", mine);
        var without = term(affinity.withObjectProperty("podAntiAffinity"), key);
        expression(without, Keys.JOB_KEY, "Exists", "");
        expression(without, Keys.JOB_KEY, "NotIn", mine);
        expression(without, Keys.PRIORITY, "In", priority);
    }

    private static ObjectNode term(ObjectNode affinity, String key) {
        var term =
                affinity.withArrayProperty("requiredDuringSchedulingIgnoredDuringExecution")
                        .addObject()
                        .put("topologyKey", key);
        term.putObject("namespaceSelector");
        return term;
    }

    private static void expression(ObjectNode term, String key, String operator, String value) {
        var expression =
                term.withObjectProperty("labelSelector")
                        .withArrayProperty("matchExpressions")
                        .addObject()
                        .put("key", key)
                        .put("operator", operator);
        if (!value.isEmpty()) {
            expression.putArray("values").add(value);
        }
    }

    private Optional<Resource> leader(Resource follower) {
        var owner = Owners.of(follower);
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        return clusters.get()
                .find(owner.get())
                .flatMap(
                        job ->
                                clusters.get().ownedBy(job, Kinds.POD).stream()
                                        .filter(pod -> leads(pod) && !pod.deleting())
                                        .filter(pod -> Owners.controls(job, follower))
                                        .filter(pod -> !pod.text("spec", "nodeName").isEmpty())
                                        .findFirst());
    }

    private Optional<String> domain(Resource follower, String key) {
        return leader(follower)
                .flatMap(
                        pod ->
                                clusters.get()
                                        .find(Kinds.NODE.key("", pod.text("spec", "nodeName"))))
                .map(node -> node.labels().getOrDefault(key, ""))
                .filter(domain -> !domain.isEmpty());
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.POD);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var pod = event.object();
        boolean bound = !pod.text("spec", "nodeName").isEmpty();
        return event.type() != WatchEvent.Type.DELETED && topology(pod).isPresent() && bound
                ? List.of(pod.key())
                : List.of();
    }

    /// Takes away a follower that is tied to another domain than its leader's.
    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var pod = clusters.get().find(key);
        if (pod.isEmpty() || leads(pod.get()) || pod.get().deleting()) {
            return Optional.empty();
        }
        var follower = pod.get();
        var topology = topology(follower).orElse("");
        var wanted = domain(follower, topology);
        var tied = follower.texts("spec", "nodeSelector").get(topology);
        if (wanted.isEmpty() || wanted.get().equals(tied)) {
            return Optional.empty();
        }
        clusters.get()
                .updateStatus(
                        follower.with(
                                json ->
                                        Conditions.put(
                                                json,
                                                "DisruptionTarget",
                                                true,
                                                "ExclusivePlacementViolation",
                                                "Pod violated JobSet exclusive placement policy",
                                                clock.instant())));
        clusters.get().delete(key, Propagation.BACKGROUND);
        return Optional.empty();
    }
}
