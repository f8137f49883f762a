package org.meshbook.cluster.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// When one JobSet was up, from what is seen of it in order of time.
final class Uptime {
    private static final List<Double> BOUNDS =
            List.of(
                    1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0, 3_600.0,
                    7_200.0, 14_400.0, 43_200.0, 86_400.0, 604_800.0);

    /// Time from an interruption until up again.
    final Histogram recoveries = new Histogram(BOUNDS);

    /// Time from then to the next interruption.
    final Histogram between = new Histogram(BOUNDS);

    private Duration past = Duration.ZERO;
    private @Nullable Instant upSince;
    private @Nullable Instant downSince;
    private @Nullable Instant recovered;
    private long interruptions;
    private boolean ended;

    /// @param up whether it is up
    /// @param at since when
    void see(boolean up, Instant at) {
        if (ended || up == (upSince != null)) {
            return;
        }
        if (up) {
            begin(at);
        } else {
            interrupt(at);
        }
    }

    private void begin(Instant at) {
        if (downSince != null) {
            recoveries.add(Duration.between(downSince, at));
            recovered = at;
            downSince = null;
        }
        upSince = at;
    }

    private void interrupt(Instant at) {
        past = total(at);
        upSince = null;
        downSince = at;
        interruptions++;
        if (recovered != null) {
            between.add(Duration.between(recovered, at));
        }
    }

    /// The JobSet has ended: what is no longer up now is no interruption.
    void end(Instant at) {
        past = total(at);
        upSince = null;
        ended = true;
    }

    /// @return how long it was up until then
    Duration total(Instant at) {
        return upSince == null ? past : past.plus(Duration.between(upSince, at));
    }

    boolean up() {
        return upSince != null;
    }

    long interruptions() {
        return interruptions;
    }
}
