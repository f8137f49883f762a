package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.transport.Fault;

/// From why a value is not there to what the caller gets: the one place where a loss is classified.
final class Failures {
    /// How long the head may take to say what a closed link means.
    private static final Duration WORD_OF_HEAD = Duration.ofMillis(200);

    private final LossBook losses;
    private final Memory memory;
    private final Progress progress;

    Failures(LossBook losses, Progress progress, Memory memory) {
        this.losses = losses;
        this.memory = memory;
        this.progress = progress;
    }

    /// @param state an array that has no value
    /// @param fault why
    ElasticException of(ArrayState state, Fault fault) {
        return of(state.words(), state.blame(), fault);
    }

    /// @param what as "host copy of 3 arrays"
    /// @param stamp of what was asked for
    /// @param fault why it is not there
    ElasticException of(String what, LossBook.Stamp stamp, Fault fault) {
        return switch (fault.kind()) {
            case USAGE -> new UsageError("%s", fault.message());
            case FAILED -> new RunFailed(fault.message());
            case MEMORY -> new RunFailed(fault.message() + memory.largest());
            case LOST -> lost(what, stamp, fault);
        };
    }

    private SliceLost lost(String what, LossBook.Stamp stamp, Fault fault) {
        int slice = fault.slices().iterator().next();
        try {
            // A link usually ends a moment before the head says why.
            progress.await(WORD_OF_HEAD, () -> loss(stamp, slice).filter(Loss::told).isPresent());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return loss(stamp, slice)
                .map(loss -> lost(what, loss))
                .orElseGet(
                        () ->
                                new SliceLost(
                                        LossKind.UNCERTAIN,
                                        Set.of(slice),
                                        0,
                                        "%s is lost with slice %d (%s); run the cell that made it again or restore a snapshot"
                                                .formatted(what, slice, fault.message())));
    }

    /// An earlier loss of a slice that the stamp knows to have come back says nothing of this one.
    private Optional<Loss> loss(LossBook.Stamp stamp, int slice) {
        return stamp.holds(slice) ? losses.loss(stamp, slice) : losses.latest(slice);
    }

    static SliceLost lost(String what, Loss loss) {
        return new SliceLost(
                loss.kind(),
                Set.of(loss.slice()),
                loss.viewGeneration(),
                "%s is lost %s; run the cell that made it again or restore a snapshot"
                        .formatted(what, loss.blame()));
    }

    /// @return as "lost (slice 2, step 130)"
    static String words(ArrayState state, Fault fault) {
        if (fault.kind() != Fault.Kind.LOST) {
            return "failed (" + fault.message() + ")";
        }
        var step = state.loss().map(Loss::step).filter(known -> known >= 0);
        return "lost (slice %d%s)"
                .formatted(
                        fault.slices().iterator().next(),
                        step.map(known -> ", step " + known).orElse(""));
    }
}
