package org.meshbook.elastic.head;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Which slice makes room for a lost one without an idle spare: one of the lowest priority, if that
/// is lower than the lost one's, and the one that came last. On the head's thread only.
///
/// Nobody makes room for a slice that is back by itself before the other could be gone, and nobody
/// for more than one.
final class Eviction {
    private Eviction() {}

    static Optional<SliceGroup> victim(
            SliceGroup lost, Duration ownReturn, Collection<HostProcess> running) {
        return running.stream()
                .map(HostProcess::slice)
                .distinct()
                .filter(slice -> slice.healthy() && slice.lease() != lost.lease())
                .filter(slice -> slice.evictedFor().isEmpty() && !slice.byQueue())
                .filter(slice -> slice.priority().compareTo(lost.priority()) < 0)
                .filter(slice -> notice(slice).compareTo(ownReturn) < 0)
                .min(
                        Comparator.comparing(SliceGroup::priority)
                                .thenComparing(SliceGroup::since, Comparator.reverseOrder()));
    }

    static Duration notice(SliceGroup slice) {
        return Duration.ofMillis(slice.lease().allocation().orElseThrow().getNoticeMs());
    }

    /// @return when a slice that made room may come back: when the lost one's own machine is back
    static Duration away(SliceGroup slice, Duration otherwise) {
        return slice.evictedFor()
                .flatMap(lost -> lost.lease().allocation())
                .map(what -> Duration.ofMillis(what.getRestartDelayMs()))
                .filter(delay -> delay.compareTo(otherwise) > 0)
                .orElse(otherwise);
    }
}
