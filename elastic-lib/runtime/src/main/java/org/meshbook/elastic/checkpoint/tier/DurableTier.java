package org.meshbook.elastic.checkpoint.tier;

import static org.meshbook.elastic.UsageError.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.meshbook.elastic.checkpoint.tier.format.Retention;

/// Checkpoints in a bucket or a folder that all hosts see and that outlives them; written in the
/// background, never waited for by a step; immutable, each method yields a changed copy.
///
/// @param place a folder, or `s3://bucket/prefix`, `gs://…`, `az://…`
/// @param config what the bucket's service needs, as OpenDAL names it, as `endpoint` and `region`
/// @param everySteps a save of a step that this does not divide does nothing here; 0 for by time
/// @param every time from one to the next; zero for by steps
/// @param keep which complete ones stay
public record DurableTier(
        String place, Map<String, String> config, long everySteps, Duration every, Retention keep) {
    private static final Duration USUAL = Duration.ofMinutes(30);

    /// @throws org.meshbook.elastic.UsageError if not exactly one interval is given
    public DurableTier {
        config = Map.copyOf(config);
        require(!place.isBlank(), "a durable tier without a place; name a folder or a bucket");
        require(
                everySteps >= 0 && !every.isNegative(),
                "every %d steps, every %s; give a positive interval",
                everySteps,
                every);
        require(
                everySteps == 0 || every.isZero(),
                "an interval of %d steps and one of %s are both given; give one of them",
                everySteps,
                every);
        every = everySteps == 0 && every.isZero() ? USUAL : every;
    }

    /// Every 30 minutes; all stay.
    ///
    /// @param place a folder, or `s3://bucket/prefix`, `gs://…`, `az://…`
    /// @return the tier
    public static DurableTier at(String place) {
        return new DurableTier(place, Map.of(), 0, USUAL, Retention.ALL);
    }

    /// Every 30 minutes; all stay.
    ///
    /// @param folder that all hosts see
    /// @return the tier
    public static DurableTier at(Path folder) {
        return at(folder.toAbsolutePath().toString());
    }

    /// @param settings what the bucket's service needs, as OpenDAL names it
    /// @return the changed copy
    public DurableTier config(Map<String, String> settings) {
        return new DurableTier(place, settings, everySteps, every, keep);
    }

    /// @param steps a save of a step that this does not divide does nothing here
    /// @return the changed copy, without an interval of time
    public DurableTier everySteps(long steps) {
        return new DurableTier(place, config, steps, Duration.ZERO, keep);
    }

    /// @param time from one to the next
    /// @return the changed copy, without an interval of steps
    public DurableTier every(Duration time) {
        return new DurableTier(place, config, 0, time, keep);
    }

    /// @param retention which complete ones stay
    /// @return the changed copy
    public DurableTier keep(Retention retention) {
        return new DurableTier(place, config, everySteps, every, retention);
    }

    /// Without the settings, which hold secrets.
    @Override
    public String toString() {
        return "%s, %s".formatted(place, everySteps > 0 ? "every " + everySteps + " steps" : every);
    }
}
