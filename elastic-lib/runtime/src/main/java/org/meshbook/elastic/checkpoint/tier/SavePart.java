package org.meshbook.elastic.checkpoint.tier;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.slices.hosts.HostResults;

/// One save's way into one tier.
final class SavePart {
    private final Tier tier;
    private final String attempt;
    private final long totalBytes;
    private volatile List<HostResults> calls = List.of();
    private volatile boolean done;
    private volatile @Nullable Throwable failure;

    SavePart(Tier tier, String attempt, long totalBytes) {
        this.tier = tier;
        this.attempt = attempt;
        this.totalBytes = totalBytes;
    }

    Tier tier() {
        return tier;
    }

    String attempt() {
        return attempt;
    }

    void under(List<HostResults> way) {
        calls = List.copyOf(way);
    }

    boolean done() {
        return done;
    }

    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    long writtenBytes() {
        return calls.stream().mapToLong(HostResults::progressBytes).sum();
    }

    long totalBytes() {
        return totalBytes;
    }

    void end(@Nullable Throwable why) {
        failure = why;
        done = true;
    }
}
