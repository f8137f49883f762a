package org.meshbook.cluster.outlook;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.queue.Decision;

/// What would become of jobs if they were submitted now.
///
/// The rules themselves decide, on a copy of the queue, first about those that wait already and
/// then about the new ones, in the order of their file. Victims of preemption count as gone at
/// once. Nothing is written.
public final class Forecast {
    private final Snapshot snapshot;

    /// What would become of one job.
    ///
    /// @param kind its kind
    /// @param name its name
    /// @param fate the outcome in one word
    /// @param flavors the flavor of each resource of each pod set, if it would get any
    /// @param victims those that would have to go for it
    /// @param checks admission checks that it would still wait for
    /// @param message why it would wait, as its condition would say
    /// @param holders who holds quota of the queue that it would wait for
    /// @param ahead how many would stand before it in its ClusterQueue
    public record Outcome(
            String kind,
            String name,
            Fate fate,
            Map<String, Map<String, String>> flavors,
            List<String> victims,
            List<String> checks,
            String message,
            List<Holder> holders,
            int ahead) {
        public Outcome {
            flavors = new LinkedHashMap<>(flavors);
            victims = List.copyOf(victims);
            checks = List.copyOf(checks);
            holders = List.copyOf(holders);
        }

        /// @return the flavors, each once
        public String places() {
            return flavors.values().stream()
                    .flatMap(choices -> choices.values().stream())
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
        }
    }

    /// The outcome in one word.
    public enum Fate {
        /// It would get quota at once.
        ADMITTED("admitted"),
        /// It would get quota, and others would lose theirs for it.
        PREEMPTS("preempts"),
        /// It would wait.
        WAITS("waits"),
        /// It names no queue, and would run as soon as nodes have room.
        UNMANAGED("not queued");

        private final String word;

        Fate(String word) {
            this.word = word;
        }

        /// @return as tables show it
        public String word() {
            return word;
        }
    }

    /// What the decisions about one workload came to.
    private static final class Story {
        private final List<String> victims = new ArrayList<>();
        private Decision.@Nullable Admit admit;
        private String message = "nobody has looked at it yet";
    }

    private Forecast(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /// @param snapshot the queue as it is; the jobs are added to it
    /// @param jobs complete, as a dry run returns them
    /// @return what would become of each, in order
    public static List<Outcome> of(Snapshot snapshot, List<Resource> jobs) {
        return new Forecast(snapshot).run(jobs);
    }

    private List<Outcome> run(List<Resource> jobs) {
        // 1. what happens without them
        var rehearsal = new Rehearsal(snapshot);
        rehearsal.settle(snapshot.now());
        // 2. they come
        var workloads = new ArrayList<Optional<Resource>>();
        for (int i = 0; i < jobs.size(); i++) {
            workloads.add(snapshot.submit(jobs.get(i), i));
        }
        for (var workload : workloads) {
            workload.filter(w -> snapshot.obstacle(w).isEmpty())
                    .ifPresent(w -> rehearsal.state().offer(snapshot.wanted(w)));
        }
        // 3. what is decided
        var stories = new LinkedHashMap<String, Story>();
        for (var decision : rehearsal.settle(snapshot.now())) {
            note(stories.computeIfAbsent(decision.workload().key(), _ -> new Story()), decision);
        }
        // 4. what it comes to
        var outcomes = new ArrayList<Outcome>();
        for (int i = 0; i < jobs.size(); i++) {
            var job = jobs.get(i);
            outcomes.add(
                    workloads
                            .get(i)
                            .map(w -> outcome(job, w, stories, rehearsal))
                            .orElseGet(() -> unmanaged(job)));
        }
        return outcomes;
    }

    private void note(Story story, Decision decision) {
        switch (decision) {
            case Decision.Admit admit -> story.admit = admit;
            case Decision.Preempt preempt ->
                    preempt.targets()
                            .forEach(target -> story.victims.add(nameOf(target.victim().key())));
            case Decision.Wait wait -> story.message = wait.message();
        }
    }

    private String nameOf(String key) {
        var workload = snapshot.workloads().get(key);
        return workload == null ? key : Jobs.name(workload);
    }

    private Outcome outcome(
            Resource job, Resource workload, Map<String, Story> stories, Rehearsal rehearsal) {
        var key = workload.key().path();
        var story = stories.getOrDefault(key, new Story());
        var queue = snapshot.clusterQueue(workload);
        var admit = story.admit;
        if (admit != null && rehearsal.state().held(key).isPresent()) {
            var flavors = admit.assignment().flavors();
            return new Outcome(
                    job.kind().kind(),
                    job.name(),
                    story.victims.isEmpty() ? Fate.ADMITTED : Fate.PREEMPTS,
                    flavors,
                    story.victims,
                    snapshot.checks(
                            queue,
                            flavors.values().stream()
                                    .flatMap(choices -> choices.values().stream())
                                    .distinct()
                                    .toList()),
                    "",
                    List.of(),
                    0);
        }
        var obstacle = snapshot.obstacle(workload);
        var ahead =
                rehearsal.state().waiting(queue).stream()
                        .takeWhile(other -> !other.key().equals(key))
                        .count();
        return new Outcome(
                job.kind().kind(),
                job.name(),
                Fate.WAITS,
                Map.of(),
                story.victims,
                List.of(),
                obstacle.isEmpty() ? story.message : obstacle,
                Holder.of(snapshot, queue),
                obstacle.isEmpty() ? (int) ahead : 0);
    }

    private static Outcome unmanaged(Resource job) {
        return new Outcome(
                job.kind().kind(),
                job.name(),
                Fate.UNMANAGED,
                Map.of(),
                List.of(),
                List.of(),
                "",
                List.of(),
                0);
    }
}
