package org.meshbook.elastic.checkpoint.tier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.checkpoint.tier.host.TidyTier;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.Written;
import org.meshbook.elastic.checkpoint.tier.save.NextSlice;
import org.meshbook.elastic.checkpoint.tier.save.TierWrite;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.checkpoint.tier.store.Writer;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostResults;

/// The saves of one run: at most one on its way to the RAM disks, and one to the durable place.
final class Saving {
    private static final System.Logger LOG = System.getLogger(Saving.class.getName());
    private static final String RAM_LANE = "checkpoint ram";
    private static final String DURABLE_LANE = "checkpoint durable";

    private final Manager manager;
    private final Slices slices;
    private final Tiers tiers;
    private final CheckpointOptions options;
    private final String runId = UUID.randomUUID().toString();
    private final AtomicReference<@Nullable SavePart> toRam = new AtomicReference<>();
    private final AtomicReference<@Nullable SavePart> toDurable = new AtomicReference<>();

    /// The first that was not told yet, and whether it was a loss, which events tell.
    private final AtomicReference<Optional<CheckpointFailed>> untold =
            new AtomicReference<>(Optional.empty());

    private volatile Duration lastDurable;
    private boolean swept;

    Saving(Manager manager, Tiers tiers, CheckpointOptions options) {
        this.manager = manager;
        this.slices = manager.slices();
        this.tiers = tiers;
        this.options = options;
        this.lastDurable = slices.clock().elapsed();
    }

    CheckpointSave save(long step, Tree.Flat flat) {
        var state = new SavedState(slices, flat);
        // 1. the save before this one
        settle(toRam, options.within());
        raise(false);
        sweepOnce();
        // 2. where it is due
        var parts = new ArrayList<SavePart>();
        var ram = tiers.ram().filter(_ -> step % options.ram().orElseThrow().everySteps() == 0);
        var durable = tiers.durable().filter(_ -> durableDue(step));
        var ramPart = ram.map(_ -> part(Tier.LOCAL, state));
        var durablePart = durable.map(_ -> part(Tier.DURABLE, state));
        ramPart.ifPresent(parts::add);
        durablePart.filter(part -> toDurable.compareAndSet(null, part)).ifPresent(parts::add);
        var save = new CheckpointSave(step, slices.clock(), parts);
        // 3. hosts begin to write; the rest happens elsewhere
        if (ram.isPresent()) {
            startRam(save, ramPart.orElseThrow(), ram.get(), state);
        }
        if (durable.isPresent() && toDurable.get() == durablePart.orElseThrow()) {
            startDurable(save, durablePart.orElseThrow(), durable.get(), state);
        } else if (durable.isPresent()) {
            save.note("not to the durable place: the step before is still on its way there");
        }
        return save;
    }

    private boolean durableDue(long step) {
        var tier = options.durable().orElseThrow();
        return tier.everySteps() > 0
                ? step % tier.everySteps() == 0
                : slices.clock().elapsed().minus(lastDurable).compareTo(tier.every()) >= 0;
    }

    private static SavePart part(Tier tier, SavedState state) {
        return new SavePart(tier, UUID.randomUUID().toString().substring(0, 8), state.bytes());
    }

    // ---- RAM disks, and the next slice's

    private void startRam(CheckpointSave save, SavePart part, StoreAt store, SavedState state) {
        toRam.set(part);
        try {
            var writer = Writer.here(part.attempt());
            var write = new TierWrite(slices, store, writer, save.step(), RAM_LANE);
            var own = write.start(state.files(), state.arrays());
            var next =
                    options.ram().orElseThrow().copies()
                            ? next(save, state)
                            : Optional.<NextSlice>empty();
            var copies = next.map(to -> write.start(to.of(state.files()), state.on(to)));
            part.under(copies.map(call -> List.of(own, call)).orElse(List.of(own)));
            start(
                    save,
                    part,
                    toRam,
                    store,
                    () -> finishRam(save, part, write, own, copies, next, state));
        } catch (RuntimeException e) {
            end(save, part, toRam, e);
            throw e;
        }
    }

    private static Optional<NextSlice> next(CheckpointSave save, SavedState state) {
        var next = state.mesh().flatMap(NextSlice::of);
        if (next.isEmpty()) {
            save.note("no copies in a next slice: the arrays lie on one slice, or on unlike ones");
        }
        return next;
    }

    private void finishRam(
            CheckpointSave save,
            SavePart part,
            TierWrite write,
            HostResults own,
            Optional<HostResults> copies,
            Optional<NextSlice> next,
            SavedState state)
            throws InterruptedException {
        // 1. all bytes are written, once
        var written = TierWrite.written(own);
        // 2. and a second time, if that went well
        var copied = copies.isPresent() ? copied(save, copies.get(), written) : Set.<String>of();
        var peers = new LinkedHashMap<String, Place>();
        for (var file : state.files()) {
            if (copied.contains(file.name())) {
                peers.put(file.name(), next.orElseThrow().of(file.by()));
            }
        }
        // 3. it becomes visible on every host that has some of it
        var manifest = manifest(save.step(), part, state, written, peers);
        var places = new HashSet<Place>(peers.values());
        state.files().forEach(file -> places.add(file.by()));
        write.commit(manifest, List.copyOf(places));
        prune(tiers.ram().orElseThrow(), options.ram().orElseThrow().keep(), RAM_LANE);
    }

    /// Copies are worth less than the save: what fails here is told and left out.
    private static Set<String> copied(
            CheckpointSave save, HostResults copies, Map<String, Written> own)
            throws InterruptedException {
        var good = new HashSet<String>();
        try {
            TierWrite.written(copies)
                    .forEach(
                            (name, copy) -> {
                                if (copy.equals(own.get(name))) {
                                    good.add(name);
                                } else {
                                    save.note(
                                            "the copy of %s differs from the original; replicas are"
                                                            .formatted(name)
                                                    + " not equal");
                                }
                            });
        } catch (ElasticException e) {
            save.note("no copies in the next slice: " + e.getMessage());
        }
        return good;
    }

    // ---- durable place

    private void startDurable(CheckpointSave save, SavePart part, StoreAt store, SavedState state) {
        try {
            var writer = Writer.here(part.attempt());
            var write = new TierWrite(slices, store, writer, save.step(), DURABLE_LANE);
            var own = write.start(state.files(), state.arrays());
            part.under(List.of(own));
            lastDurable = slices.clock().elapsed();
            start(
                    save,
                    part,
                    toDurable,
                    store,
                    () -> {
                        var manifest =
                                manifest(
                                        save.step(), part, state, TierWrite.written(own), Map.of());
                        write.commit(manifest, List.of(state.files().getFirst().by()));
                        prune(store, options.durable().orElseThrow().keep(), DURABLE_LANE);
                    });
        } catch (RuntimeException e) {
            end(save, part, toDurable, e);
            throw e;
        }
    }

    // ---- both

    private interface Finish {
        void run() throws InterruptedException;
    }

    private void start(
            CheckpointSave save,
            SavePart part,
            AtomicReference<@Nullable SavePart> slot,
            StoreAt store,
            Finish finish) {
        slices.clock()
                .start(
                        "checkpoint " + save.step(),
                        () -> {
                            @Nullable Throwable failure = null;
                            try {
                                finish.run();
                            } catch (InterruptedException | RuntimeException | Error e) {
                                failure = e;
                                discard(store, save.step(), part);
                            }
                            end(save, part, slot, failure);
                        });
    }

    private Manifest manifest(
            long step,
            SavePart part,
            SavedState state,
            Map<String, Written> written,
            Map<String, Place> peers) {
        return state.manifest(
                tiers.run(), runId, part.attempt(), step, slices.clock().now(), written, peers);
    }

    private void prune(StoreAt store, Retention keep, String lane) throws InterruptedException {
        if (!keep.equals(Retention.ALL)) {
            tiers.tidy(
                    TidyTier.Request.in(store, Writer.here(runId)).keeping(keep, Set.of()), lane);
        }
    }

    private void discard(StoreAt store, long step, SavePart part) {
        try {
            tiers.tidy(
                    TidyTier.Request.in(store, Writer.here(runId))
                            .discarding(List.of(new TidyTier.Attempt(step, part.attempt()))),
                    store.eachHost() ? RAM_LANE : DURABLE_LANE);
        } catch (InterruptedException | RuntimeException e) {
            // The failure that led here is told; the rest is swept by the next process.
            LOG.log(System.Logger.Level.DEBUG, "step {0} not discarded: {1}", step, e);
        }
    }

    private void end(
            CheckpointSave save,
            SavePart part,
            AtomicReference<@Nullable SavePart> slot,
            @Nullable Throwable failure) {
        if (failure != null) {
            var words =
                    "step %d was not saved to %s: %s"
                            .formatted(save.step(), part.tier().word(), failure.getMessage());
            untold.compareAndSet(
                    Optional.empty(), Optional.of(new CheckpointFailed(words, failure)));
            manager.tell(new ElasticEvent.NotSaved(slices.clock().now(), save.step(), words));
        }
        part.end(failure);
        slot.compareAndSet(part, null);
        slices.clock().wake();
    }

    /// Waits for what is in flight, and throws nothing.
    void settle(Duration within) {
        settle(toRam, within);
        settle(toDurable, within);
    }

    private void settle(AtomicReference<@Nullable SavePart> slot, Duration within) {
        try {
            if (!slices.clock().await(within, () -> slot.get() == null)) {
                throw new CheckpointFailed(
                        "a save has not ended within %s; see the logs of the workers"
                                .formatted(within),
                        null);
            }
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for a checkpoint", e);
        }
    }

    void join(Duration within) {
        settle(within);
        raise(true);
    }

    /// @param losses whether a save that the loss of a slice ended counts, too
    private void raise(boolean losses) {
        var failed = untold.get();
        if (failed.isPresent() && (losses || !(failed.get().getCause() instanceof SliceLost))) {
            untold.set(Optional.empty());
            throw failed.get();
        }
        if (!losses) {
            untold.set(Optional.empty());
        }
    }

    /// Later steps belong to a past that did not happen: they are not there any more, so that they
    /// can be saved again. Durable ones are hidden, not deleted.
    void rolledBackTo(long step) {
        try {
            if (tiers.ram().isPresent()) {
                tiers.tidy(
                        TidyTier.Request.in(tiers.ram().get(), Writer.here(runId))
                                .rolledBackTo(step, false),
                        RAM_LANE);
            }
            if (tiers.durable().isPresent()) {
                tiers.tidy(
                        TidyTier.Request.in(tiers.durable().get(), Writer.here(runId))
                                .rolledBackTo(step, true),
                        DURABLE_LANE);
            }
        } catch (InterruptedException e) {
            throw new Interrupted("tidying after a restore", e);
        }
    }

    /// What dead processes left is removed before the first save.
    private void sweepOnce() {
        if (swept) {
            return;
        }
        swept = true;
        try {
            for (var store : List.of(tiers.ram(), tiers.durable())) {
                if (store.isPresent()) {
                    tiers.tidy(
                            TidyTier.Request.in(store.get(), Writer.here(runId)).sweeping(live()),
                            store.get().eachHost() ? RAM_LANE : DURABLE_LANE);
                }
            }
        } catch (InterruptedException e) {
            throw new Interrupted("sweeping what earlier saves left", e);
        }
    }

    private Set<String> live() {
        var live = new HashSet<String>();
        for (var slot : List.of(toRam, toDurable)) {
            var part = slot.get();
            if (part != null) {
                live.add(part.attempt());
            }
        }
        return live;
    }
}
