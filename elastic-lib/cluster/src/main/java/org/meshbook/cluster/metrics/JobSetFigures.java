package org.meshbook.cluster.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.metrics.Readiness.Place;
import org.meshbook.cluster.metrics.Readiness.Stage;

/// The figures of all JobSets: how they stand, and when they were up.
///
/// A JobSet that is deleted is told of for a while, so that a scrape still sees how it ended.
/// Guarded by [ClusterMetrics].
final class JobSetFigures {
    private static final String LABEL = "jobset.sigs.k8s.io/";
    private static final Duration KEPT = Duration.ofMinutes(15);
    private static final int MOST_KEPT = 1_000;

    /// By uid: another JobSet may get the name of one that is gone.
    private final Map<String, Life> lives = new HashMap<>();

    private final Map<String, Life> named = new TreeMap<>();
    private final ArrayDeque<Life> gone = new ArrayDeque<>();
    private final Map<String, Seen> pods = new HashMap<>();

    /// While all that is there is being read, nothing is known to be missing.
    private boolean reading = true;

    /// One JobSet from when it is first heard of until it is forgotten.
    static final class Life {
        private final String uid;
        private final Readiness readiness = new Readiness();
        private @Nullable Resource set;
        private int pods;
        private Instant latest = Instant.EPOCH;
        private Instant forget = Instant.MAX;

        /// When it was up.
        final Uptime uptime = new Uptime();

        Life(String uid) {
            this.uid = uid;
        }

        private String path() {
            return set().namespace() + "/" + set().name();
        }

        /// @return it, as it is now or was last
        Resource set() {
            return Objects.requireNonNull(set);
        }
    }

    private record Seen(Life life, Place place, Stage stage) {}

    /// @param set a JobSet as it is now
    /// @param now present time
    void set(Resource set, Instant now) {
        var life = lives.computeIfAbsent(set.uid(), Life::new);
        var before = life.set;
        life.set = set;
        if (before == null) {
            name(life);
        }
        if (before == null || before.generation() != set.generation()) {
            life.readiness.want(set);
        }
        life.readiness.attempt(set.at("status", "restarts").asInt(0));
        if (set.is("Completed") || set.is("Failed")) {
            life.uptime.end(now);
        }
        see(life, now);
    }

    /// There must not be two of one series: who had the name is told of no longer.
    private void name(Life life) {
        var other = named.put(life.path(), life);
        if (other != null && other != life) {
            lives.remove(other.uid);
        }
    }

    /// @param set a JobSet that is gone
    void setGone(Resource set, Instant now) {
        var life = lives.get(set.uid());
        if (life == null) {
            return;
        }
        life.uptime.end(now);
        life.forget = now.plus(KEPT);
        gone.add(life);
        forget(now);
    }

    private void forget(Instant now) {
        while (!gone.isEmpty()
                && (gone.size() > MOST_KEPT || !gone.getFirst().forget.isAfter(now))) {
            var old = gone.removeFirst();
            named.remove(old.path(), old);
            lives.remove(old.uid);
        }
    }

    /// @param pod a pod as it is now
    void pod(Resource pod, Instant now) {
        var labels = pod.labels();
        var set = labels.getOrDefault(LABEL + "jobset-uid", "");
        if (set.isEmpty()) {
            return;
        }
        var before = pods.get(pod.uid());
        var stage = stage(pod);
        if (before != null && before.stage == stage) {
            return;
        }
        var life = before == null ? lives.computeIfAbsent(set, Life::new) : before.life;
        var place = before == null ? place(labels) : before.place;
        life.pods += before == null ? 1 : 0;
        pods.put(pod.uid(), new Seen(life, place, stage));
        life.readiness.change(place, before == null ? Stage.AWAY : before.stage, stage);
        if (stage == Stage.READY) {
            life.latest = latest(life.latest, readySince(pod));
        }
        see(life, now);
    }

    private static Place place(Map<String, String> labels) {
        var attempt = labels.getOrDefault(LABEL + "restart-attempt", "0");
        return new Place(
                labels.getOrDefault(LABEL + "replicatedjob-name", ""),
                labels.getOrDefault(LABEL + "job-key", ""),
                attempt.matches("\\d{1,9}") ? Integer.parseInt(attempt) : 0);
    }

    private static Stage stage(Resource pod) {
        if (pod.text("status", "phase").equals("Succeeded")) {
            return Stage.DONE;
        }
        return pod.is("Ready") && !pod.deleting() ? Stage.READY : Stage.AWAY;
    }

    private static Instant readySince(Resource pod) {
        return pod.condition("Ready")
                .map(ready -> ready.path("lastTransitionTime").asString(""))
                .filter(text -> !text.isEmpty())
                .map(Instant::parse)
                .orElse(Instant.EPOCH);
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /// @param pod a pod that is gone
    void podGone(Resource pod, Instant now) {
        var seen = pods.remove(pod.uid());
        if (seen != null) {
            seen.life.readiness.change(seen.place, seen.stage, Stage.AWAY);
            see(seen.life, now);
            seen.life.pods--;
            // One whose JobSet was gone before anybody watched.
            if (seen.life.pods == 0 && seen.life.set == null) {
                lives.remove(seen.life.uid);
            }
        }
    }

    /// All that was there has been read: what is up has been so since its last pod became ready.
    void read(Instant now) {
        reading = false;
        lives.values()
                .forEach(life -> see(life, life.latest.equals(Instant.EPOCH) ? now : life.latest));
    }

    private void see(Life life, Instant now) {
        if (!reading) {
            life.uptime.see(life.readiness.all(), now);
        }
    }

    /// @return the JobSets that are told of, by namespace and name
    List<Life> lives(Instant now) {
        forget(now);
        return List.copyOf(named.values());
    }
}
