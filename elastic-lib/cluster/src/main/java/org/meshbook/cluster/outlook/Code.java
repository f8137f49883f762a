package org.meshbook.cluster.outlook;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Why a job does not run, in one word each: what stands in conditions is `Pending` for most.
public enum Code {
    NOT_QUEUED,
    NO_WORKLOAD,
    PRIORITY_CLASS_MISSING,
    LOCAL_QUEUE_MISSING,
    LOCAL_QUEUE_STOPPED,
    CLUSTER_QUEUE_MISSING,
    CLUSTER_QUEUE_INACTIVE,
    NAMESPACE_NOT_SELECTED,
    ABOVE_LIMITS,
    DEACTIVATED,
    BACK_OFF,
    CHECK_FAILED,
    CHECK_PENDING,
    NO_CAPACITY,
    RESOURCE_NOT_COVERED,
    FLAVOR_MISSING,
    FLAVOR_TAINTED,
    FLAVOR_NOT_SELECTED,
    TOO_LARGE,
    QUOTA_IN_USE,
    PREEMPTING,
    PODS_TERMINATING,
    OVERTAKEN,
    BEHIND_HEAD,
    NOT_LOOKED_AT,
    PREEMPTION_CYCLE,
    POD_UNSCHEDULABLE,
    LEADER_PENDING,
    RUNNING,
    FINISHED;

    /// What a message of the rules says, and the code for it. A message may tell of several
    /// flavors: what is nearest to running comes first.
    private record Phrase(String text, Code code) {}

    private static final List<Phrase> PHRASES =
            List.of(
                    new Phrase("Pending the preemption of", PREEMPTING),
                    new Phrase("insufficient unused quota", QUOTA_IN_USE),
                    new Phrase("no longer fits after processing", OVERTAKEN),
                    new Phrase("overlapping preemption targets", OVERTAKEN),
                    new Phrase("> maximum capacity", TOO_LARGE),
                    new Phrase("untolerated taint", FLAVOR_TAINTED),
                    new Phrase("doesn't match node affinity", FLAVOR_NOT_SELECTED),
                    new Phrase("unavailable in ClusterQueue", RESOURCE_NOT_COVERED),
                    new Phrase("orkload namespace doesn't match", NAMESPACE_NOT_SELECTED),
                    new Phrase("failed admission checks", CHECK_FAILED),
                    new Phrase("resources validation failed", ABOVE_LIMITS));

    /// @param message of the condition QuotaReserved
    /// @return the cause that it names
    static Code of(String message) {
        if (message.isEmpty()) {
            return NOT_LOOKED_AT;
        }
        return queue(message)
                .or(
                        () ->
                                PHRASES.stream()
                                        .filter(phrase -> message.contains(phrase.text))
                                        .map(Phrase::code)
                                        .findFirst())
                .orElse(
                        message.matches(".*flavor \\S+ not found.*")
                                ? FLAVOR_MISSING
                                : QUOTA_IN_USE);
    }

    private static Optional<Code> queue(String message) {
        boolean missing = message.endsWith(" doesn't exist");
        boolean stopped = message.endsWith(" is inactive");
        if (message.startsWith("LocalQueue ") && (missing || stopped)) {
            return Optional.of(missing ? LOCAL_QUEUE_MISSING : LOCAL_QUEUE_STOPPED);
        }
        if (message.startsWith("ClusterQueue ") && (missing || stopped)) {
            return Optional.of(missing ? CLUSTER_QUEUE_MISSING : CLUSTER_QUEUE_INACTIVE);
        }
        return Optional.empty();
    }

    /// @return as it is printed, in small letters with hyphens
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
