package org.meshbook.cluster.jobs.ray;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs RayJobs: a cluster, then a submitter, then an end.
///
/// `Initializing → Running → Complete | Failed`; a held one goes through `Suspending` to
/// `Suspended`, and begins anew with another cluster. A new one that is held shows `Initializing`
/// for a moment, as the real one does.
public final class RayJobController implements Controller {
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final String STATE = "jobDeploymentStatus";

    private final Cluster cluster;
    private final InstantSource clock;

    /// @param cluster where RayJobs are
    /// @param clock wall time
    public RayJobController(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "rayjob";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.RAY_JOB, Kinds.RAY_CLUSTER, Kinds.JOB);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        return object.key().kind().equals(Kinds.RAY_JOB)
                ? List.of(object.key())
                : Owners.of(object, Kinds.RAY_JOB);
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty() || found.get().deleting()) {
            return Optional.empty();
        }
        var job = found.get();
        boolean held = job.at("spec", "suspend").asBoolean(false);
        return switch (job.text("status", STATE)) {
            case "", "New" -> begin(job);
            case "Initializing" -> held ? state(job, "Suspending") : initialize(job);
            case "Running" -> held ? state(job, "Suspending") : watch(job);
            case "Suspending" -> clear(job, "Suspended");
            case "Suspended" -> held ? Optional.empty() : begin(job);
            case "Retrying" -> clear(job, "New");
            case "Complete", "Failed" -> shutDown(job);
            default -> Optional.empty();
        };
    }

    private Optional<Duration> begin(Resource job) {
        int attempt = job.at("status", "failed").asInt(0);
        var seed = job.uid() + job.generation() + attempt + clock.instant();
        var cluster = job.name() + "-" + suffix(seed + "cluster");
        return write(
                job,
                status -> {
                    status.put("jobId", job.name() + "-" + suffix(seed + "job"));
                    status.put("rayClusterName", cluster);
                    status.put(STATE, "Initializing");
                    status.put("startTime", Conditions.stamp(clock.instant()));
                    status.remove(List.of("endTime", "reason", "message", "jobStatus"));
                });
    }

    private static String suffix(String seed) {
        var letters = "bcdfghjklmnpqrstvwxz2456789";
        var out = new StringBuilder();
        long number = Integer.toUnsignedLong(seed.hashCode());
        for (int i = 0; i < 5; i++) {
            out.append(letters.charAt((int) (number % letters.length())));
            number = number / letters.length() + 7L * i;
        }
        return out.toString();
    }

    private Optional<Duration> state(Resource job, String state) {
        return write(job, status -> status.put(STATE, state));
    }

    private Optional<Duration> write(Resource job, Consumer<ObjectNode> edit) {
        var told = job.with(json -> edit.accept(json.withObjectProperty("status")));
        if (!told.json().equals(job.json())) {
            cluster.updateStatus(told);
        }
        return Optional.empty();
    }

    private Optional<Resource> ray(Resource job) {
        return cluster.find(
                Kinds.RAY_CLUSTER.key(job.namespace(), job.text("status", "rayClusterName")));
    }

    private Optional<Resource> submitter(Resource job) {
        return cluster.find(Kinds.JOB.key(job.namespace(), job.name()))
                .filter(j -> Owners.controls(job, j));
    }

    /// The submitter comes only after the head is ready.
    private Optional<Duration> initialize(Resource job) {
        var ray = ray(job);
        var name = job.text("status", "rayClusterName");
        if (ray.isEmpty()) {
            cluster.create(RayPods.cluster(job, name), WriteOptions.PLAIN);
            return deadline(job);
        }
        if (!ray.get().is("HeadPodReady") || !ray.get().text("status", "state").equals("ready")) {
            return deadline(job);
        }
        if (submitter(job).isEmpty()) {
            cluster.create(
                    RayPods.submitter(job, name, job.text("status", "jobId")), WriteOptions.PLAIN);
        }
        var service = RayPods.headService(job, name);
        if (cluster.find(service.key()).isEmpty()) {
            cluster.create(service, WriteOptions.PLAIN);
        }
        return write(
                job,
                status -> {
                    status.put(STATE, "Running").put("jobStatus", "PENDING");
                    status.put("dashboardURL", "head.%s-head-svc:8265".formatted(name));
                });
    }

    private Optional<Duration> watch(Resource job) {
        var submitter = submitter(job);
        boolean head = ray(job).filter(r -> r.is("HeadPodReady")).isPresent();
        var end =
                submitter.flatMap(
                        j ->
                                Stream.of("Complete", "Failed")
                                        .filter(j::is)
                                        .flatMap(type -> j.condition(type).stream())
                                        .findFirst());
        if (end.isEmpty()) {
            if (!head || submitter.isEmpty()) {
                return fail(job, "AppFailed", "the head of the Ray cluster is gone");
            }
            boolean runs = submitter.get().at("status", "active").asInt(0) > 0;
            write(job, status -> status.put("jobStatus", runs ? "RUNNING" : "PENDING"));
            return deadline(cluster.find(job.key()).orElse(job));
        }
        return head ? finish(job, submitter.get(), end.get()) : unknown(job, end.get());
    }

    private Optional<Duration> finish(Resource job, Resource submitter, JsonNode end) {
        if (submitter.is("Failed")) {
            return fail(
                    job,
                    "AppFailed",
                    "Job entrypoint command failed: " + end.path("message").asString(""));
        }
        return write(
                job,
                status -> {
                    status.put(STATE, "Complete").put("jobStatus", "SUCCEEDED");
                    status.put("endTime", Conditions.stamp(clock.instant()));
                    status.put("succeeded", status.path("succeeded").asInt(0) + 1);
                    status.put("message", "Job finished successfully.");
                });
    }

    /// The submitter has ended, but nobody can be asked how the job is.
    private Optional<Duration> unknown(Resource job, JsonNode end) {
        var at = Instant.parse(end.path("lastTransitionTime").asString(""));
        var left = Duration.between(clock.instant(), at.plus(GRACE));
        return left.isPositive()
                ? Optional.of(left)
                : fail(
                        job,
                        "JobDeploymentStatusTransitionGracePeriodExceeded",
                        ("The RayJob submitter finished at %s but the ray job did not reach"
                                        + " terminal state within 30s")
                                .formatted(at));
    }

    private Optional<Duration> deadline(Resource job) {
        var seconds = job.at("spec", "activeDeadlineSeconds");
        if (seconds.isMissingNode()) {
            return Optional.empty();
        }
        var start = job.time("status", "startTime").orElse(clock.instant());
        var left = Duration.between(clock.instant(), start.plusSeconds(seconds.asLong()));
        return left.isPositive()
                ? Optional.of(left)
                : fail(
                        job,
                        "DeadlineExceeded",
                        "The RayJob has passed the activeDeadlineSeconds. StartTime: %s. ActiveDeadlineSeconds: %d"
                                .formatted(start, seconds.asLong()));
    }

    private Optional<Duration> fail(Resource job, String reason, String message) {
        int failed = job.at("status", "failed").asInt(0) + 1;
        boolean again =
                failed <= job.at("spec", "backoffLimit").asInt(0)
                        && !reason.equals("DeadlineExceeded");
        return write(
                job,
                status -> {
                    status.put(STATE, again ? "Retrying" : "Failed");
                    status.put("jobStatus", "FAILED").put("failed", failed);
                    status.put("reason", reason).put("message", message);
                    if (!again) {
                        status.put("endTime", Conditions.stamp(clock.instant()));
                    }
                });
    }

    /// Takes cluster and submitter away; the names go with them.
    private Optional<Duration> clear(Resource job, String next) {
        var left = Stream.of(ray(job), submitter(job)).flatMap(Optional::stream).toList();
        if (!left.isEmpty()) {
            left.forEach(this::delete);
            return Optional.empty();
        }
        return write(
                job,
                status -> {
                    status.put(STATE, next);
                    status.remove(List.of("rayClusterName", "jobId", "dashboardURL", "jobStatus"));
                });
    }

    private void delete(Resource object) {
        if (object.deleting()) {
            return;
        }
        try {
            cluster.delete(object.key(), Propagation.FOREGROUND);
        } catch (ApiException refused) {
            if (!refused.missing()) {
                throw refused;
            }
        }
    }

    private Optional<Duration> shutDown(Resource job) {
        if (!job.at("spec", "shutdownAfterJobFinishes").asBoolean(false)) {
            return Optional.empty();
        }
        var end = job.time("status", "endTime").orElse(clock.instant());
        var left =
                Duration.between(
                        clock.instant(),
                        end.plusSeconds(job.at("spec", "ttlSecondsAfterFinished").asInt(0)));
        if (left.isPositive()) {
            return Optional.of(left);
        }
        ray(job).ifPresent(this::delete);
        return Optional.empty();
    }
}
