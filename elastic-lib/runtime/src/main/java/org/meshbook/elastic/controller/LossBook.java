package org.meshbook.elastic.controller;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.elastic.slices.LossKind;

/// Which incarnations of each slice are lost: the ground of "sticky". Thread-safe, wait-free reads.
///
/// Each time a slice becomes reachable it gets the next incarnation; an array remembers those of
/// its slices at its birth. It is poisoned if and only if one of them is lost, and since
/// incarnations only ever end, it stays so when the slice returns. This is the rule of loss
/// generations with one counter a slice instead of one for all, so that a return elsewhere says
/// nothing here.
final class LossBook {
    private record Key(int slice, long incarnation) {}

    private final AtomicLongArray current;
    private final AtomicLongArray lostUpTo;
    private final Map<Key, Loss> losses = new ConcurrentHashMap<>();

    LossBook(int slices) {
        current = new AtomicLongArray(slices);
        lostUpTo = new AtomicLongArray(slices);
    }

    /// Incarnations at one moment.
    ///
    /// @param slices indices
    /// @param incarnations of each, the lost one if it is lost
    @SuppressWarnings("ArrayRecordComponent") // never leaves this room, never compared
    record Stamp(int[] slices, long[] incarnations) {
        boolean holds(int slice) {
            return IntStream.of(slices).anyMatch(held -> held == slice);
        }

        /// @return the same of fewer slices
        Stamp only(Collection<Integer> kept) {
            var chosen = IntStream.range(0, slices.length).filter(i -> kept.contains(slices[i]));
            var places = chosen.toArray();
            return new Stamp(
                    IntStream.of(places).map(i -> slices[i]).toArray(),
                    IntStream.of(places).mapToLong(i -> incarnations[i]).toArray());
        }
    }

    Stamp stamp(Collection<Integer> slices) {
        var ids = slices.stream().mapToInt(Integer::intValue).toArray();
        var incarnations = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            incarnations[i] = current.get(ids[i]);
        }
        return new Stamp(ids, incarnations);
    }

    boolean live(int slice) {
        return current.get(slice) > lostUpTo.get(slice);
    }

    boolean lost(Stamp stamp) {
        for (int i = 0; i < stamp.slices().length; i++) {
            if (stamp.incarnations()[i] <= lostUpTo.get(stamp.slices()[i])) {
                return true;
            }
        }
        return false;
    }

    /// @return slices of a stamp that were lost since
    Set<Integer> lostSlices(Stamp stamp) {
        return IntStream.range(0, stamp.slices().length)
                .filter(i -> stamp.incarnations()[i] <= lostUpTo.get(stamp.slices()[i]))
                .mapToObj(i -> stamp.slices()[i])
                .collect(Collectors.toUnmodifiableSet());
    }

    /// @return the first loss that concerns a stamp
    Optional<Loss> loss(Stamp stamp) {
        for (int i = 0; i < stamp.slices().length; i++) {
            int slice = stamp.slices()[i];
            if (stamp.incarnations()[i] <= lostUpTo.get(slice)) {
                return Optional.of(loss(slice, stamp.incarnations()[i]));
            }
        }
        return Optional.empty();
    }

    /// @return the loss of a slice at or after its incarnation in the stamp, if it was lost
    Optional<Loss> loss(Stamp stamp, int slice) {
        for (int i = 0; i < stamp.slices().length; i++) {
            if (stamp.slices()[i] == slice && stamp.incarnations()[i] <= lostUpTo.get(slice)) {
                return Optional.of(loss(slice, stamp.incarnations()[i]));
            }
        }
        return Optional.empty();
    }

    /// @return the newest loss of a slice, if it was ever lost
    Optional<Loss> latest(int slice) {
        return Optional.ofNullable(losses.get(new Key(slice, lostUpTo.get(slice))));
    }

    private Loss loss(int slice, long incarnation) {
        var loss = losses.get(new Key(slice, incarnation));
        return loss != null
                ? loss
                : new Loss(slice, LossKind.LINK_CLOSED, "not started yet", Instant.now(), 0, false);
    }

    /// A slice is reachable, for the first time or again.
    void joined(int slice) {
        current.incrementAndGet(slice);
    }

    /// @return whether this was news: the slice was live
    boolean lose(Loss loss) {
        int slice = loss.slice();
        long incarnation = current.get(slice);
        boolean news = live(slice);
        // What the head says of a loss beats what our links guessed, and comes but once.
        losses.merge(
                new Key(slice, incarnation),
                loss,
                (old, now) -> old.told() ? old : now.in(old.step()));
        if (news) {
            lostUpTo.set(slice, incarnation);
        }
        return news;
    }
}
