package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.manager.ElasticEvent.AttemptEnded;
import org.meshbook.elastic.manager.ElasticEvent.Kind;
import org.meshbook.elastic.manager.Recovery.Change;
import org.meshbook.elastic.manager.Recovery.Phase;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.Timeline.Span;

/// Accounts for recoveries: takes the times at which the retry passes its stations, and the spans
/// that others wrote into the timeline meanwhile. Written by the thread that owns the retry.
final class Ledger {
    private static final int KEPT = 1_000;
    private static final Duration RUNS_WITHIN = Duration.ofSeconds(10);
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(2);

    private final Slices slices;
    private final Chronicle chronicle;
    private final Consumer<Recovery> recovered;

    /// Read by any thread, so swapped whole: a reader never finds an account in neither place.
    private volatile Book book = new Book(List.of(), null);

    private @Nullable Open open;
    private int active;
    private long last = -1;

    /// An account whose last report may still be on its way: the head's word of a loss can come
    /// after the end of the link.
    private record Closed(Open account, Duration end, boolean complete) {}

    /// @param finished accounts that do not change any more
    /// @param settling the newest one, while a report may still change it
    private record Book(List<Recovery> finished, @Nullable Closed settling) {
        Book {
            finished = List.copyOf(finished);
        }
    }

    private static final class Open {
        final Change change;
        final Set<Integer> lost;
        final long step;
        final int from;
        int to;
        long goal;
        final Duration earliest;
        final Duration noticed;
        Duration adopted;
        @Nullable Duration first;
        long replayed;
        final String cause;
        final List<ElasticEvent.Restored> restored = new ArrayList<>();

        Open(
                Change change,
                Set<Integer> lost,
                String cause,
                long step,
                int from,
                Duration earliest,
                Duration noticed) {
            this.change = change;
            this.lost = lost;
            this.cause = cause;
            this.step = step;
            this.goal = step;
            this.from = from;
            this.to = from;
            this.earliest = earliest;
            this.noticed = noticed;
            this.adopted = noticed;
        }
    }

    Ledger(Slices slices, Chronicle chronicle, Consumer<Recovery> recovered) {
        this.slices = slices;
        this.chronicle = chronicle;
        this.recovered = recovered;
    }

    Recoveries all() {
        return new Recoveries(all(book));
    }

    /// An attempt ended with an event.
    void ended(AttemptEnded event, long goal, Duration noticed) {
        var earliest = noticed.minus(event.sinceLastEvent());
        if (open != null) {
            close(false);
        }
        boolean up = event.kind() == Kind.UP;
        open =
                new Open(
                        up ? Change.GREW : Change.LOST,
                        event.slices(),
                        String.valueOf(event.error().getMessage()),
                        goal,
                        active,
                        up ? noticed : earliest,
                        noticed);
    }

    /// The next attempt has its slices.
    void adopted(int count) {
        active = count;
        if (open != null) {
            open.adopted = slices.clock().elapsed();
            open.to = count;
        }
    }

    /// The program grew in place.
    void grew(Set<Integer> gained, int count, Duration start) {
        if (open != null) {
            close(false);
        }
        var offered = chronicle.offeredBefore(gained, start);
        var begun = chronicle.joinedBefore(gained, offered);
        var cause = Words.slicesAre(gained) + " back";
        open = new Open(Change.GREW, gained, cause, last, active, begun, offered);
        open.goal = -1;
        open.adopted = start;
        open.to = count;
        active = count;
    }

    /// The program moved off slices that announced their end.
    void left(Set<Integer> gone, int count, Duration start) {
        if (open != null) {
            close(false);
        }
        var told = chronicle.announcedBefore(gone, start);
        open =
                new Open(
                        Change.LEFT,
                        gone,
                        Words.slices(gone) + " announced the end",
                        last,
                        active,
                        told,
                        told);
        open.goal = -1;
        open.adopted = start;
        open.to = count;
        active = count;
    }

    /// A snapshot was read, or none could be.
    void restored(ElasticEvent.Restored event) {
        if (open != null) {
            open.restored.add(event);
        }
    }

    void completed(long step) {
        last = step;
        settle(SETTLED_AFTER);
        if (open == null) {
            return;
        }
        if (open.first == null) {
            awaitRuns();
            open.first = slices.clock().elapsed();
        }
        if (step <= open.goal) {
            open.replayed++;
        }
        if (step >= open.goal) {
            awaitRuns();
            close(true);
        }
    }

    /// Steps are dispatched, not waited for; an account ends when they are done. A loss meanwhile
    /// ends them, too, and is found at the step's boundary.
    private void awaitRuns() {
        try {
            slices.awaitRuns(RUNS_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The program ended, whether or not it reports steps.
    void finished() {
        if (open != null) {
            close(true);
        }
    }

    private void close(boolean complete) {
        var closing = open;
        open = null;
        if (closing == null) {
            return;
        }
        settle(Duration.ZERO);
        var first = closing.first;
        var end = first != null && closing.replayed == 0 ? first : slices.clock().elapsed();
        var closed = new Closed(closing, end, complete);
        book = new Book(book.finished, closed);
        if (complete && closing.change != Change.GREW) {
            recovered.accept(account(closed));
        }
    }

    /// Puts the last account among the finished ones, once it is old enough.
    private void settle(Duration age) {
        var last = book.settling;
        if (last == null || slices.clock().elapsed().minus(last.end).compareTo(age) < 0) {
            return;
        }
        var all = all(book);
        book = new Book(all.subList(Math.max(0, all.size() - KEPT), all.size()), null);
    }

    private List<Recovery> all(Book now) {
        var all = new ArrayList<>(now.finished);
        var last = now.settling;
        if (last != null) {
            all.add(account(last));
        }
        return all;
    }

    private Recovery account(Closed closed) {
        var closing = closed.account;
        var begun =
                closing.change == Change.GREW
                        ? closing.earliest
                        : chronicle.lostSince(closing.lost, closing.earliest, closing.noticed);
        // 1. what was done for it, also what was begun in time and ended later
        var now = slices.clock().elapsed();
        var spans =
                slices.timeline().between(closing.adopted, now).stream()
                        .filter(span -> span.start().compareTo(closed.end) <= 0)
                        .toList();
        var restore = named(spans, "restore");
        var compile = named(spans, "compile");
        var known = new ArrayList<>(restore);
        known.addAll(compile);
        var lastKnown =
                known.stream()
                        .map(Span::end)
                        .reduce(closing.adopted, (a, b) -> a.compareTo(b) > 0 ? a : b);
        var end = lastKnown.compareTo(closed.end) > 0 ? lastKnown : closed.end;
        // 2. lost steps are done again from where the last restore or compile ended
        var again = end;
        if (closing.replayed > 0) {
            again = known.isEmpty() && closing.first != null ? closing.first : lastKnown;
        }
        // 3. the phases, which add up to the whole
        Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
        phases.put(Phase.DETECT, closing.noticed.minus(begun));
        phases.put(Phase.WAIT, closing.adopted.minus(closing.noticed));
        var restoring = covered(restore, closing.adopted, again);
        var both = covered(known, closing.adopted, again);
        phases.put(Phase.RESTORE, restoring);
        phases.put(Phase.COMPILE, both.minus(restoring));
        phases.put(Phase.REMESH, again.minus(closing.adopted).minus(both));
        phases.put(Phase.REPLAY, end.minus(again));
        long bytes = restore.stream().mapToLong(Span::bytes).sum();
        if (closing.change == Change.GREW) {
            bytes += named(spans, "remesh").stream().mapToLong(Span::bytes).sum();
        }
        return new Recovery(
                closing.change,
                closing.lost,
                closing.step,
                closing.from,
                closing.to,
                phases,
                closing.replayed,
                bytes,
                closed.complete,
                begun,
                closing.change == Change.LOST
                        ? chronicle.causeOf(closing.lost, closing.cause)
                        : closing.cause,
                closing.restored);
    }

    private static List<Span> named(List<Span> spans, String phase) {
        return spans.stream().filter(span -> span.phase().equals(phase)).toList();
    }

    /// How much of the time between two moments is covered by at least one span.
    private static Duration covered(List<Span> spans, Duration from, Duration to) {
        var sorted = spans.stream().sorted((a, b) -> a.start().compareTo(b.start())).toList();
        var covered = Duration.ZERO;
        var at = from;
        for (var span : sorted) {
            var start = span.start().compareTo(at) > 0 ? span.start() : at;
            var end = span.end().compareTo(to) < 0 ? span.end() : to;
            if (end.compareTo(start) > 0) {
                covered = covered.plus(end.minus(start));
                at = end;
            }
        }
        return covered;
    }
}
