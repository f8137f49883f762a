package org.meshbook.elastic.manager;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;

/// What the head told of each slice last, and when on the clock's monotonic time. Thread-safe.
final class Chronicle {
    private final Slices slices;
    private final Map<Integer, SliceEvent.Lost> lost = new ConcurrentHashMap<>();
    private final Map<Integer, SliceEvent.Joined> joined = new ConcurrentHashMap<>();
    private final Map<Integer, SliceEvent.Leaving> leaving = new ConcurrentHashMap<>();
    private final Map<Integer, Duration> offered = new ConcurrentHashMap<>();
    private volatile long checkedView = -1;

    Chronicle(Slices slices) {
        this.slices = slices;
    }

    void lost(SliceEvent.Lost event) {
        lost.put(event.slice(), event);
        leaving.remove(event.slice());
        offered.remove(event.slice());
    }

    void leaving(SliceEvent.Leaving event) {
        leaving.put(event.slice(), event);
        offered.remove(event.slice());
    }

    /// Those of some slices that have announced that they leave.
    Set<Integer> leaving(Set<Integer> active) {
        if (leaving.isEmpty()) {
            return Set.of();
        }
        var going = new TreeSet<>(leaving.keySet());
        going.retainAll(active);
        return Collections.unmodifiableSet(going);
    }

    /// When the first of some slices announced that it leaves.
    Duration announcedBefore(Set<Integer> going, Duration latest) {
        var first = latest;
        for (int slice : going) {
            var told = leaving.get(slice);
            first = told == null ? first : earlier(first, monotonic(told.at()));
        }
        return first;
    }

    void joined(SliceEvent.Joined event) {
        joined.put(event.slice(), event);
    }

    void offered(Collection<Integer> fresh) {
        var now = slices.clock().elapsed();
        fresh.forEach(slice -> offered.put(slice, now));
    }

    /// When the head saw the first of some slices go; `latest` if it did not since `earliest`.
    Duration lostSince(Set<Integer> gone, Duration earliest, Duration latest) {
        var first = latest;
        for (int slice : gone) {
            var told = lost.get(slice);
            if (told != null) {
                var at = monotonic(told.at());
                first = at.compareTo(earliest) >= 0 ? earlier(first, at) : first;
            }
        }
        return first;
    }

    /// Why the head saw some slices go, in one line; `otherwise` if it told nothing yet.
    String causeOf(Set<Integer> gone, String otherwise) {
        return gone.stream()
                .map(lost::get)
                .filter(Objects::nonNull)
                .findFirst()
                .map(told -> Words.slices(gone) + " lost: " + told.cause())
                .orElse(otherwise);
    }

    /// When the first of some slices came.
    Duration joinedBefore(Set<Integer> gained, Duration latest) {
        var first = latest;
        for (int slice : gained) {
            var told = joined.get(slice);
            first = told == null ? first : earlier(first, monotonic(told.at()));
        }
        return first;
    }

    /// When the first of some slices was found to answer.
    Duration offeredBefore(Set<Integer> gained, Duration latest) {
        var first = latest;
        for (int slice : gained) {
            first = earlier(first, offered.getOrDefault(slice, latest));
        }
        return first;
    }

    /// The active set changed: look again at the next step, whatever the view's generation.
    void adopted() {
        checkedView = -1;
    }

    /// The loss of an active slice, also of one that is back as new processes; found from the view
    /// alone, so that no value must be read.
    Optional<SliceLost> pending(Roster now, long step) {
        var view = slices.view();
        if (view.generation() == checkedView) {
            return Optional.empty();
        }
        var gone = new TreeSet<Integer>();
        for (var slice : view.slices()) {
            var adopted = now.adopted().get(slice.id());
            if (adopted != null && (!slice.state().holds() || slice.generation() != adopted)) {
                gone.add(slice.id());
            }
        }
        if (gone.isEmpty()) {
            checkedView = view.generation();
            return Optional.empty();
        }
        var told = lost.get(gone.first());
        var cause = told == null ? "the head says so" : told.cause();
        return Optional.of(
                new SliceLost(
                        told == null ? LossKind.LINK_CLOSED : told.kind(),
                        gone,
                        view.generation(),
                        Words.slices(gone) + " lost: " + cause + "; found after step " + step));
    }

    private Duration monotonic(Instant at) {
        var clock = slices.clock();
        return clock.elapsed().minus(Duration.between(at, clock.now()));
    }

    private static Duration earlier(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
