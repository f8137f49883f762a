package org.meshbook.elastic.checkpoint.tier;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.slices.Clock;

/// A save that [Checkpointer#save] began, or found nothing to do for. Thread-safe.
public final class CheckpointSave {
    private final long step;
    private final Clock clock;
    private final List<SavePart> parts;
    private final List<String> notes = new CopyOnWriteArrayList<>();

    CheckpointSave(long step, Clock clock, List<SavePart> parts) {
        this.step = step;
        this.clock = clock;
        this.parts = List.copyOf(parts);
    }

    /// @return number of the step
    public long step() {
        return step;
    }

    /// @return tiers that are written to; empty if the step is not due anywhere
    public List<Tier> tiers() {
        return parts.stream().map(SavePart::tier).toList();
    }

    /// @return whether all of it has ended, well or not
    public boolean done() {
        return parts.stream().allMatch(SavePart::done);
    }

    /// @return the first failure, once there is one
    public Optional<Throwable> failure() {
        return parts.stream().flatMap(part -> part.failure().stream()).findFirst();
    }

    /// @return what is less than asked for, as "no copies in the next slice: there is one slice
    ///   only"
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /// @param timeout how long at most
    /// @return whether all of it is complete; false if it failed or still runs
    /// @throws Interrupted if the thread is interrupted
    public boolean await(Duration timeout) {
        try {
            return clock.await(timeout, this::done) && failure().isEmpty();
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for the checkpoint of step " + step, e);
        }
    }

    /// @return bytes that the hosts have written so far, copies included
    public long writtenBytes() {
        return parts.stream().mapToLong(SavePart::writtenBytes).sum();
    }

    /// @return bytes that they write in all
    public long totalBytes() {
        return parts.stream().mapToLong(SavePart::totalBytes).sum();
    }

    void note(String text) {
        notes.add(text);
    }

    @Override
    public String toString() {
        if (parts.isEmpty()) {
            return "checkpoint of step %d: not due".formatted(step);
        }
        var words = String.join(" and ", tiers().stream().map(Tier::word).toList());
        var state =
                !done()
                        ? "%d of %d MB"
                                .formatted(writtenBytes() / 1_000_000, totalBytes() / 1_000_000)
                        : failure().map(why -> "failed: " + why.getMessage()).orElse("complete");
        return "checkpoint of step %d to %s: %s%s"
                .formatted(
                        step,
                        words,
                        state,
                        notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")");
    }
}
