package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.Timeline;
import org.meshbook.elastic.wire.proto.Compiled;

/// Writes down what compiling costs: the slowest worker's time, once for each program.
final class Compiles {
    private final Timeline timeline;
    private final Clock clock;
    private final Map<String, Under> under = new HashMap<>();

    /// Workers still at it, and the slowest so far.
    private record Under(int workers, long micros) {}

    Compiles(Timeline timeline, Clock clock) {
        this.timeline = timeline;
        this.clock = clock;
    }

    /// A worker was told to compile.
    synchronized void started(String fingerprint) {
        under.merge(fingerprint, new Under(1, 0), (a, _) -> new Under(a.workers() + 1, a.micros()));
    }

    /// A worker has compiled; a worker that dies before leaves its entry, which costs nothing.
    synchronized void finished(Compiled compiled) {
        var now =
                under.computeIfPresent(
                        compiled.getFingerprint(),
                        (_, a) ->
                                new Under(
                                        a.workers() - 1,
                                        Math.max(a.micros(), compiled.getMicros())));
        if (now != null && now.workers() <= 0) {
            under.remove(compiled.getFingerprint());
            if (now.micros() > 0) {
                var end = clock.elapsed();
                timeline.add("compile", end.minus(Duration.ofNanos(now.micros() * 1000)), end, 0);
            }
        }
    }
}
