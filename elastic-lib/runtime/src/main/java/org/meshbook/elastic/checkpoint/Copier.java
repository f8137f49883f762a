package org.meshbook.elastic.checkpoint;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.checkpoint.SaveResult.Accepted;
import org.meshbook.elastic.checkpoint.SaveResult.SkippedBusy;
import org.meshbook.elastic.checkpoint.unit.Intake;
import org.meshbook.elastic.checkpoint.unit.Unit;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;

/// Makes copies, one at a time: starts them on the caller's thread, and waits for each on a thread
/// of its own, so that whatever ends one leaves the next one free to begin.
final class Copier {
    private final Manager manager;
    private final Slices slices;
    private final Shelf shelf;
    private final Duration within;
    private final AtomicReference<@Nullable Slot> inFlight = new AtomicReference<>();
    private final AtomicReference<@Nullable Reset> waiting = new AtomicReference<>();

    /// A restored snapshot that is to be copied anew from where its arrays lie now.
    private record Reset(Held from, Intake intake) {}

    /// The copy under way, and whether it is but a reset.
    private record Slot(Accepted saving, Optional<Reset> reset) {}

    Copier(Manager manager, Shelf shelf, Duration within) {
        this.manager = manager;
        this.slices = manager.slices();
        this.shelf = shelf;
        this.within = within;
    }

    SaveResult save(long step, Intake intake) {
        var slot = new Slot(new Accepted(step, intake.bytes(), slices.clock()), Optional.empty());
        while (true) {
            var busy = inFlight.compareAndExchange(null, slot);
            if (busy == null) {
                break;
            }
            if (busy.reset().isEmpty()) {
                shelf.skipped();
                return new SkippedBusy(step, busy.saving().step());
            }
            // A save is worth more than the copy of an older step; that comes again if it fails.
            if (inFlight.compareAndSet(busy, slot)) {
                waiting.set(busy.reset().get());
                break;
            }
        }
        start(slot, intake, shelf::add);
        return slot.saving();
    }

    /// Copies a restored snapshot from where it lies now; without this a second loss would look for
    /// replicas on the old mesh. After the save in flight, if there is one: it may fail, or make
    /// this needless.
    void reset(Held from, Intake restored) {
        waiting.set(new Reset(from, restored));
        startWaiting();
    }

    private void startWaiting() {
        var reset = waiting.get();
        if (reset == null) {
            return;
        }
        var saving = new Accepted(reset.from().step, reset.intake().bytes(), slices.clock());
        var slot = new Slot(saving, Optional.of(reset));
        if (inFlight.compareAndSet(null, slot)) {
            waiting.set(null);
            if (shelf.newest().filter(held -> held == reset.from()).isPresent()) {
                start(slot, reset.intake(), fresh -> shelf.replace(reset.from(), fresh));
            } else {
                free(slot, null);
            }
        }
    }

    /// @return whether nothing is in flight, or about to be
    boolean idle() {
        return inFlight.get() == null && waiting.get() == null;
    }

    Optional<Accepted> inFlight() {
        return Optional.ofNullable(inFlight.get()).map(Slot::saving);
    }

    private void start(Slot slot, Intake intake, Consumer<Held> keep) {
        boolean started = false;
        try {
            var copy = slices.copyToHosts(intake.placed());
            slot.saving().begun(copy);
            slices.clock().start("snapshot", () -> complete(slot, intake.unit(), copy, keep));
            shelf.accepted();
            started = true;
        } finally {
            if (!started) {
                var step = slot.saving().step();
                free(slot, new SnapshotLost("the copy of step " + step + " did not start"));
            }
        }
    }

    private void complete(Slot slot, Unit unit, HostCopy copy, Consumer<Held> keep) {
        var saving = slot.saving();
        @Nullable Throwable failure = null;
        try {
            if (!copy.await(within)) {
                failure = late(saving, copy.pending());
            } else if (inFlight.get() == slot) {
                keep.accept(new Held(saving.step(), unit, copy, slices.clock().now()));
            } else {
                shelf.superseded();
                copy.release();
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            failure = e;
        } finally {
            try {
                if (failure != null) {
                    failed(saving, copy, failure);
                }
            } finally {
                free(slot, failure);
            }
        }
    }

    private void failed(Accepted saving, HostCopy copy, Throwable failure) {
        shelf.failed(failure);
        copy.release();
        manager.tell(
                new ElasticEvent.NotSaved(slices.clock().now(), saving.step(), cause(failure)));
    }

    /// The slot is free again, whatever happened.
    private void free(Slot slot, @Nullable Throwable failure) {
        boolean free = inFlight.compareAndSet(slot, null);
        slot.saving().end(failure);
        if (free) {
            startWaiting();
        }
    }

    private SnapshotLost late(Accepted saving, Set<Integer> pending) {
        return new SnapshotLost(
                "the copy of step %d took longer than %s: slices %s have not answered"
                        .formatted(saving.step(), within, pending));
    }

    private static String cause(Throwable failure) {
        return failure instanceof SliceLost lost
                ? "slice "
                        + lost.slices().stream().map(String::valueOf).collect(joining(", "))
                        + " was lost meanwhile"
                : String.valueOf(failure.getMessage());
    }
}
