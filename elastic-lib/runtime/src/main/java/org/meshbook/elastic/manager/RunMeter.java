package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.manager.Recovery.Phase;
import org.meshbook.elastic.slices.Slices;

/// Watches the run for the account of its time: when it began, made its first step, and ended, and
/// how many slices it had. Thread-safe.
final class RunMeter {
    private static final int MOST_SAMPLES = 10_000;

    private final Slices slices;
    private final List<Sample> samples = new ArrayList<>();
    private @Nullable Duration begun;
    private @Nullable Duration stepped;
    private @Nullable Duration ended;
    private int active;

    /// How many slices were active and healthy from a moment on.
    private record Sample(Duration at, int active, int healthy) {}

    private record Stretch(Duration from, Duration to) {}

    RunMeter(Slices slices) {
        this.slices = slices;
    }

    synchronized void begin(int activeNow) {
        begun = slices.clock().elapsed();
        stepped = null;
        ended = null;
        samples.clear();
        active(activeNow);
    }

    synchronized void active(int count) {
        active = count;
        sample();
    }

    /// Looks at the view again; called when it has changed.
    synchronized void sample() {
        if (begun == null || ended != null) {
            return;
        }
        var now = new Sample(slices.clock().elapsed(), active, slices.view().healthy().size());
        if (samples.size() == MOST_SAMPLES) {
            // The account of slices then begins later than the run.
            samples.subList(0, MOST_SAMPLES / 2).clear();
        }
        samples.add(now);
    }

    synchronized void stepped() {
        if (stepped == null) {
            stepped = slices.clock().elapsed();
        }
    }

    synchronized void end() {
        ended = slices.clock().elapsed();
    }

    synchronized Goodput goodput(List<Recovery> recoveries, int total) {
        var start = begun;
        if (start == null) {
            return new Goodput(Duration.ZERO, Duration.ZERO, Map.of(), Duration.ZERO, 1, 1);
        }
        var end = ended != null ? ended : slices.clock().elapsed();
        var first = stepped != null ? stepped : end;
        Map<Phase, Duration> losses = new EnumMap<>(Phase.class);
        var growing = Duration.ZERO;
        var starting = first.minus(start);
        var stretches = new ArrayList<Stretch>();
        stretches.add(new Stretch(start, first));
        for (var recovery : recoveries) {
            var from = recovery.start();
            if (from.compareTo(start) < 0 || from.compareTo(end) > 0) {
                continue;
            }
            stretches.add(new Stretch(from, from.plus(recovery.total())));
            if (from.compareTo(first) < 0) {
                // Before the first step a loss is its own cause, not the start's.
                var over = earlier(from.plus(recovery.total()), first);
                starting = starting.minus(over.minus(from));
            }
            if (recovery.growth()) {
                growing = growing.plus(recovery.total());
            } else {
                recovery.phases()
                        .forEach((phase, time) -> losses.merge(phase, time, Duration::plus));
            }
        }
        double all = 0;
        double healthy = 0;
        double stepping = 0;
        double used = 0;
        for (int i = 0; i < samples.size(); i++) {
            var sample = samples.get(i);
            var until = i + 1 < samples.size() ? samples.get(i + 1).at : end;
            double length = until.minus(sample.at).toNanos();
            double other = covered(stretches, sample.at, until);
            all += length;
            healthy += length * sample.healthy;
            stepping += length - other;
            used += (length - other) * sample.active;
        }
        return new Goodput(
                end.minus(start),
                starting,
                losses,
                growing,
                stepping > 0 ? used / stepping / total : 1,
                all > 0 ? healthy / all / total : 1);
    }

    /// Nanoseconds between two moments that lie in one of the stretches, which hardly overlap.
    private static double covered(List<Stretch> stretches, Duration from, Duration to) {
        double nanos = 0;
        for (var stretch : stretches) {
            var start = stretch.from.compareTo(from) > 0 ? stretch.from : from;
            var end = earlier(stretch.to, to);
            nanos += Math.max(0, end.minus(start).toNanos());
        }
        return Math.min(nanos, to.minus(from).toNanos());
    }

    private static Duration earlier(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
