package org.meshbook.cluster.jobs.batch;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// What a Job asks for, defaults filled in.
///
/// @param job the Job
record JobSpec(Resource job) {
    private static final int DEFAULT_BACKOFF_LIMIT = 6;

    int parallelism() {
        return job.at("spec", "parallelism").asInt(1);
    }

    /// @return how many pods must succeed; empty if one of any number is enough
    OptionalInt completions() {
        var given = job.at("spec", "completions");
        if (!given.isMissingNode()) {
            return OptionalInt.of(given.asInt());
        }
        return job.at("spec", "parallelism").isMissingNode()
                ? OptionalInt.of(1)
                : OptionalInt.empty();
    }

    boolean indexed() {
        return job.text("spec", "completionMode").equals("Indexed");
    }

    boolean suspended() {
        return job.at("spec", "suspend").asBoolean(false);
    }

    int backoffLimit() {
        return job.at("spec", "backoffLimit").asInt(DEFAULT_BACKOFF_LIMIT);
    }

    OptionalInt backoffLimitPerIndex() {
        return number("backoffLimitPerIndex");
    }

    OptionalInt maxFailedIndexes() {
        return number("maxFailedIndexes");
    }

    OptionalInt activeDeadlineSeconds() {
        return number("activeDeadlineSeconds");
    }

    OptionalInt ttlSecondsAfterFinished() {
        return number("ttlSecondsAfterFinished");
    }

    boolean restartsInPlace() {
        return job.text("spec", "template", "spec", "restartPolicy").equals("OnFailure");
    }

    List<JsonNode> failureRules() {
        return job.list("spec", "podFailurePolicy", "rules");
    }

    /// @return whether a pod that is ending counts as failed before it has ended
    boolean endingIsFailed() {
        var given = job.text("spec", "podReplacementPolicy");
        return given.isEmpty() ? failureRules().isEmpty() : given.equals("TerminatingOrFailed");
    }

    /// @return the condition that says how it ended, once it has
    Optional<JsonNode> ended() {
        return job.is("Complete") ? job.condition("Complete") : failed();
    }

    private Optional<JsonNode> failed() {
        return job.is("Failed") ? job.condition("Failed") : Optional.empty();
    }

    private OptionalInt number(String field) {
        var given = job.at("spec", field);
        return given.isMissingNode() ? OptionalInt.empty() : OptionalInt.of(given.asInt());
    }
}
