package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.manager.health.Monitor;
import org.meshbook.elastic.manager.health.Prober;
import org.meshbook.elastic.manager.health.Prober.Probed;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.index.SliceSet;

/// Keeps the [Roster] true to what the head tells and what probes find: it is swapped whole by
/// compare-and-set, and tells what changed. Thread-safe.
final class Muster {
    private final Slices slices;
    private final Events events;
    private final Runnable onWord;
    private final Prober prober;
    private final Monitor monitor;
    private final Chronicle chronicle;
    private final AtomicReference<Roster> roster;
    private final AtomicLong changes = new AtomicLong();

    /// @param all slices of the allocation
    /// @param onWord run after each word of the head
    Muster(
            Slices slices,
            Set<Integer> all,
            ManagerOptions options,
            Events events,
            Runnable onWord) {
        this.slices = slices;
        this.events = events;
        this.onWord = onWord;
        this.prober =
                new Prober(
                        slices,
                        options.probe(),
                        options.probeTimeout(),
                        options.quarantine(),
                        this::wrong);
        this.monitor = new Monitor(slices.clock(), this::checkInactive);
        this.chronicle = new Chronicle(slices);
        this.roster =
                new AtomicReference<>(new Roster(0, all, Set.of(), Set.of(), Map.of(), Map.of()));
    }

    /// Probes all slices and makes the healthy ones active.
    void enlist() {
        var all = roster().all();
        try {
            var found = prober.probe(all);
            change(now -> now.activate(found.healthy(), found.generations()).seen(found.health()));
        } catch (InterruptedException e) {
            throw new Interrupted("probing " + all.size() + " slices", e);
        }
    }

    Roster roster() {
        return Objects.requireNonNull(roster.get());
    }

    Monitor monitor() {
        return monitor;
    }

    Chronicle chronicle() {
        return chronicle;
    }

    Probed probe(Set<Integer> asked) throws InterruptedException {
        var found = prober.probe(asked);
        change(now -> now.seen(found.health()));
        return found;
    }

    /// @param closes grows when the manager is closed
    Wait wait(AtomicLong closes) {
        return new Wait(slices, prober, events, changes::get, closes::get);
    }

    /// Makes slices active in the generations that they have now; never probes.
    void activate(Set<Integer> chosen) {
        var fresh = SliceSet.copyOf(chosen).minus(roster().active());
        adopt(chosen, prober.healthyGenerations(fresh));
    }

    /// Makes slices active in the generations given. Those without one were active before and keep
    /// the generation they were adopted in, so that a loss in between is still found.
    void adopt(Set<Integer> chosen, Map<Integer, Integer> generations) {
        change(now -> now.adopt(chosen, generations));
        chronicle.adopted();
    }

    /// Makes more slices active, in the generations given.
    void claim(Map<Integer, Integer> generations) {
        change(now -> now.claim(generations));
        chronicle.adopted();
    }

    void withdraw(Set<Integer> gone) {
        if (!Collections.disjoint(gone, roster().available())) {
            change(
                    now -> {
                        var left = new TreeSet<>(now.available());
                        left.removeAll(gone);
                        return now.offer(left, Map.of());
                    });
        }
    }

    /// @return active slices that announced that they leave
    Set<Integer> leaving() {
        return chronicle.leaving(roster().active());
    }

    /// @return the loss of an active slice that nobody has met yet, also of one that is back as new
    ///   processes
    Optional<SliceLost> pending(long step) {
        return chronicle.pending(roster(), step);
    }

    /// Has those who wait look again.
    void stir() {
        changes.incrementAndGet();
        slices.clock().wake();
    }

    void heard(SliceEvent event) {
        if (stale(event)) {
            return;
        }
        switch (event) {
            case SliceEvent.Lost gone -> {
                chronicle.lost(gone);
                var health = gone.kind() == LossKind.HUNG ? Health.HUNG : Health.UNREACHABLE;
                change(now -> now.seen(Map.of(gone.slice(), health)));
                boolean active = roster().active().contains(gone.slice());
                events.tell(
                        new ElasticEvent.SliceDown(
                                gone.at(), gone.slice(), active, gone.kind(), gone.cause()));
            }
            case SliceEvent.Leaving going -> {
                chronicle.leaving(going);
                withdraw(Set.of(going.slice()));
                events.tell(
                        new ElasticEvent.Leaving(
                                going.at(),
                                going.slice(),
                                roster().active().contains(going.slice()),
                                Duration.between(going.at(), going.until()),
                                going.cause()));
            }
            case SliceEvent.Draining going -> {
                withdraw(Set.of(going.slice()));
                events.tell(
                        new ElasticEvent.Suspending(
                                going.at(),
                                going.slice(),
                                Duration.between(going.at(), going.until()),
                                going.cause()));
            }
            case SliceEvent.Suspended gone ->
                    events.tell(new ElasticEvent.Suspended(gone.at(), gone.slice(), gone.bytes()));
            case SliceEvent.Resumed back -> {
                events.tell(new ElasticEvent.Resumed(back.at(), back.slice()));
                monitor.nudge();
            }
            case SliceEvent.Joined back -> {
                chronicle.joined(back);
                events.tell(
                        back.swapped()
                                ? new ElasticEvent.Swapped(
                                        back.at(), back.slice(), back.generation(), back.instead())
                                : new ElasticEvent.SliceBack(
                                        back.at(), back.slice(), back.generation()));
                monitor.nudge();
            }
        }
        onWord.run();
        stir();
    }

    /// Word of processes that others have replaced says nothing of these.
    private boolean stale(SliceEvent event) {
        return slices.view()
                .slice(event.slice())
                .filter(slice -> slice.generation() > event.generation())
                .isPresent();
    }

    /// Probes the inactive slices and offers the healthy ones, unless the roster changed meanwhile:
    /// then what was found may be stale and is dropped, and the probe is made again.
    private void checkInactive() throws InterruptedException {
        while (true) {
            var before = roster();
            var inactive = before.inactive();
            if (inactive.isEmpty()) {
                return;
            }
            var found = prober.probe(inactive);
            var fresh = new TreeSet<>(found.healthy());
            fresh.removeAll(before.available());
            if (roster.compareAndSet(before, before.offer(found.healthy(), found.health()))) {
                chronicle.offered(fresh);
                slices.clock().wake();
                if (!fresh.isEmpty()) {
                    events.tell(new ElasticEvent.Available(slices.clock().now(), fresh));
                }
                return;
            }
        }
    }

    private void wrong(int slice, Duration time) {
        events.tell(new ElasticEvent.Quarantined(slices.clock().now(), slice, time));
    }

    private void change(UnaryOperator<Roster> change) {
        roster.updateAndGet(change);
        slices.clock().wake();
    }
}
