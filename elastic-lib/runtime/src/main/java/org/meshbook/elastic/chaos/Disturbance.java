package org.meshbook.elastic.chaos;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;

/// A slice whose processes are stopped, all the time or a share of it, or whose network is cut: a
/// state that ends by SIGCONT. Has a thread of the clock while it lasts.
final class Disturbance {
    private static final System.Logger LOG = System.getLogger(Disturbance.class.getName());
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration FOREVER = Duration.ofDays(1);

    private final Slices slices;
    private final SliceView slice;
    private final double stopped;
    private final Runnable ended;
    private volatile boolean over;

    /// @param slice as it was when it was chosen
    /// @param stopped share of the time that its processes are stopped; 0 if they are not
    /// @param ended told once
    Disturbance(Slices slices, SliceView slice, double stopped, Runnable ended) {
        this.slices = slices;
        this.slice = slice;
        this.stopped = stopped;
        this.ended = ended;
    }

    boolean over() {
        return over;
    }

    void begin(Optional<Duration> lasting) {
        // The first stop takes hold before the program goes on.
        if (stopped > 0) {
            send(ProcessSignal.STOP);
        }
        slices.clock().start("chaos slice " + slice.id(), () -> last(lasting.orElse(FOREVER)));
    }

    private void last(Duration lasting) {
        var clock = slices.clock();
        var end = clock.elapsed().plus(lasting);
        try {
            boolean alternating = stopped > 0 && stopped < 1;
            while (!isOver() && clock.elapsed().compareTo(end) < 0) {
                var left = end.minus(clock.elapsed());
                if (!alternating) {
                    clock.await(left, this::isOver);
                    continue;
                }
                turn(clock, ProcessSignal.STOP, stopped);
                turn(clock, ProcessSignal.CONT, 1 - stopped);
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "the disturbance of slice {0} was interrupted", slice.id());
        }
        end();
    }

    private void turn(Clock clock, ProcessSignal signal, double share) throws InterruptedException {
        if (!isOver()) {
            send(signal);
            clock.await(Duration.ofNanos((long) (PERIOD.toNanos() * share)), this::isOver);
        }
    }

    /// Whether it was ended, or the slice has other processes by now.
    private boolean isOver() {
        return over || !current();
    }

    private boolean current() {
        return pids(slices.view().slices().get(slice.id())).equals(pids(slice));
    }

    /// Processes go on from where they were; idempotent.
    void end() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        if (current()) {
            send(ProcessSignal.CONT);
        }
        ended.run();
        slices.clock().wake();
    }

    private void send(ProcessSignal signal) {
        pids(slice).forEach(signal::sendTo);
    }

    private static List<Long> pids(SliceView slice) {
        return slice.hosts().stream().map(HostView::pid).filter(pid -> pid > 0).toList();
    }
}
