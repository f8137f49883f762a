package org.meshbook.cluster.jobs.batch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.Resource;

/// How a Job's pods stand: those that count already, those that are to be counted now, those that
/// run.
///
/// A pod that ended is counted once: its uid is written into the status first, then its finalizer
/// is taken away, then it moves into the numbers. A crash in between loses and doubles nothing.
final class PodTally {
    static final String FINALIZER = "batch.kubernetes.io/job-tracking";
    static final String INDEX = "batch.kubernetes.io/job-completion-index";
    static final String INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";

    private final JobSpec spec;
    private final List<Resource> active = new ArrayList<>();
    private final List<Resource> toCount = new ArrayList<>();
    private final Set<String> newSucceeded = new HashSet<>();
    private final Set<String> newFailed = new HashSet<>();
    private final NavigableSet<Integer> succeededIndexes;
    private final NavigableSet<Integer> failedIndexes;
    private final Map<Integer, Integer> indexFailures = new HashMap<>();
    private Optional<String> failJob = Optional.empty();
    private int succeeded;
    private int failed;
    private int terminating;
    private int ready;
    private int restarts;

    PodTally(Resource job, List<Resource> pods) {
        spec = new JobSpec(job);
        succeeded = job.at("status", "succeeded").asInt(0);
        failed = job.at("status", "failed").asInt(0);
        succeededIndexes = IndexSet.parse(job.text("status", "completedIndexes"));
        failedIndexes = IndexSet.parse(job.text("status", "failedIndexes"));
        var written = texts(job, "succeeded");
        var writtenFailed = texts(job, "failed");
        newSucceeded.addAll(written);
        newFailed.addAll(writtenFailed);
        var known = new HashSet<String>();
        for (var pod : pods) {
            known.add(pod.uid());
            add(pod);
        }
        // Those that went between the two writes.
        succeeded += (int) written.stream().filter(uid -> !known.contains(uid)).count();
        failed += (int) writtenFailed.stream().filter(uid -> !known.contains(uid)).count();
        newSucceeded.retainAll(known);
        newFailed.retainAll(known);
    }

    private static List<String> texts(Resource job, String list) {
        return job.list("status", "uncountedTerminatedPods", list).stream()
                .map(uid -> uid.asString(""))
                .toList();
    }

    private void add(Resource pod) {
        var phase = pod.text("status", "phase");
        boolean good = phase.equals("Succeeded");
        boolean over = good || phase.equals("Failed");
        boolean bad = phase.equals("Failed") || (pod.deleting() && !good && spec.endingIsFailed());
        if (pod.deleting() && !over) {
            terminating++;
        }
        if (!over && !pod.deleting()) {
            active.add(pod);
            ready += pod.is("Ready") ? 1 : 0;
            restarts += restartsOf(pod);
        }
        if (good && holds(pod)) {
            toCount.add(pod);
            newSucceeded.add(pod.uid());
            if (spec.indexed()) {
                succeededIndexes.add(index(pod));
            }
        } else if (bad) {
            judge(pod, holds(pod));
        }
    }

    /// A pod that counts already is still a failure of its index.
    private void judge(Resource pod, boolean fresh) {
        var verdict = FailureRules.of(spec.failureRules(), pod);
        boolean ignored = verdict.action().equals("Ignore");
        int failures =
                Integer.parseInt(pod.annotations().getOrDefault(INDEX_FAILURES, "0"))
                        + (ignored ? 0 : 1);
        indexFailures.merge(index(pod), failures, Math::max);
        if (!fresh) {
            return;
        }
        toCount.add(pod);
        if (ignored) {
            return;
        }
        newFailed.add(pod.uid());
        var limit = spec.backoffLimitPerIndex();
        if (verdict.action().equals("FailJob")) {
            failJob = failJob.or(() -> Optional.of(verdict.message()));
        } else if (verdict.action().equals("FailIndex")
                || (limit.isPresent() && failures > limit.getAsInt())) {
            failedIndexes.add(index(pod));
        }
    }

    static boolean holds(Resource pod) {
        return pod.list("metadata", "finalizers").stream()
                .anyMatch(f -> f.asString("").equals(FINALIZER));
    }

    static int index(Resource pod) {
        return Integer.parseInt(pod.annotations().getOrDefault(INDEX, "-1"));
    }

    private static int restartsOf(Resource pod) {
        return pod.list("status", "containerStatuses").stream()
                        .mapToInt(c -> c.path("restartCount").asInt(0))
                        .sum()
                + pod.list("status", "initContainerStatuses").stream()
                        .mapToInt(c -> c.path("restartCount").asInt(0))
                        .sum();
    }

    /// @return pods that run or will, none of them deleted
    List<Resource> active() {
        return active;
    }

    /// @return pods whose end is to be counted, and which may go then
    List<Resource> toCount() {
        return toCount;
    }

    Set<String> newSucceeded() {
        return newSucceeded;
    }

    Set<String> newFailed() {
        return newFailed;
    }

    int succeeded() {
        return spec.indexed() ? succeededIndexes.size() : succeeded + newSucceeded.size();
    }

    int failed() {
        return failed + newFailed.size();
    }

    /// @return numbers as they stand before those that are counted now
    int countedSucceeded() {
        return succeeded;
    }

    int countedFailed() {
        return failed;
    }

    int terminating() {
        return terminating;
    }

    int ready() {
        return ready;
    }

    /// @return how often containers of running pods were started again
    int restarts() {
        return restarts;
    }

    NavigableSet<Integer> succeededIndexes() {
        return succeededIndexes;
    }

    NavigableSet<Integer> failedIndexes() {
        return failedIndexes;
    }

    int indexFailures(int index) {
        return indexFailures.getOrDefault(index, 0);
    }

    /// @return why a rule of its podFailurePolicy fails the Job
    Optional<String> failJob() {
        return failJob;
    }
}
