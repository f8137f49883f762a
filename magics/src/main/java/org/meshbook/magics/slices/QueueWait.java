package org.meshbook.magics.slices;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.QueueRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.kernel.spi.Cell;

/// Waits for slices that come through a queue, and says how they stand there.
///
/// Stopping the cell leaves them in the queue; stopping it once more cancels the request.
final class QueueWait {
    /// How long after a stop another one cancels.
    private static final Duration AGAIN = Duration.ofSeconds(3);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LINKED = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofHours(1);

    private final Lease lease;
    private final Session session;
    private final QueueRequest queue;
    private final int slices;
    private final Cell cell;

    QueueWait(Lease lease, Session session, ProvisionRequest request, Cell cell) {
        this.lease = lease;
        this.session = session;
        this.queue = request.queue().orElseThrow();
        this.slices = request.slices();
        this.cell = cell;
    }

    /// @throws InterruptedException if the cell was stopped
    void run() throws InterruptedException {
        // Here each stop is one interrupt, so that a second one can be told from the first.
        cell.heeding(Thread.currentThread()::interrupt, this::await);
    }

    private void await() throws InterruptedException {
        try {
            follow();
        } catch (InterruptedException stopped) {
            detach();
            throw stopped;
        }
        claim();
    }

    /// A program that looks at the active slices before its first step finds these; one that runs
    /// takes in what comes by itself.
    private void claim() {
        var manager = Manager.current();
        if (queue.atLeast() > 0 && manager.activeSliceIndices().isEmpty()) {
            // Whoever has registered may not be linked yet, so that a single look would miss it.
            manager.activate(manager.waitForSlices(queue.atLeast(), POLL, LINKED));
        }
    }

    private void follow() throws InterruptedException {
        var told = "";
        while (!enough(view())) {
            var line = line(view());
            if (!line.isEmpty() && !line.equals(told)) {
                cell.out().println(line);
                told = line;
            }
            var _ = session.await(now -> enough(now) || !line(now).equals(line), LONG);
        }
    }

    private ClusterView view() {
        return session.membership().now().view();
    }

    private boolean enough(ClusterView now) {
        return now.healthy().size() >= queue.atLeast();
    }

    /// @return as "2 of 4 slices are there; 2 and 3 wait in user-queue (positions 1, 2): …"; empty
    ///   while none waits
    private String line(ClusterView now) {
        var waiting = now.slices().stream().filter(QueueWait::waits).toList();
        if (waiting.isEmpty()) {
            return "";
        }
        return "%d of %d slices are there; %s in %s (%s %s): %s"
                .formatted(
                        now.healthy().size(),
                        slices,
                        waiting(waiting),
                        queue.queue(),
                        waiting.size() == 1 ? "position" : "positions",
                        waiting.stream()
                                .map(slice -> String.valueOf(position(slice)))
                                .collect(Collectors.joining(", ")),
                        waiting.getFirst().cause());
    }

    private static String waiting(List<SliceView> waiting) {
        var ids =
                waiting.stream()
                        .map(slice -> String.valueOf(slice.id()))
                        .collect(Collectors.joining(", "));
        return waiting.size() == 1
                ? "slice %s waits".formatted(ids)
                : "slices %s wait".formatted(ids);
    }

    private static boolean waits(SliceView slice) {
        return slice.state() == SliceState.QUEUED && position(slice) > 0;
    }

    private static int position(SliceView slice) {
        return slice.place().map(SliceView.Place::position).orElse(0);
    }

    private void detach() throws InterruptedException {
        cell.out()
                .println(
                        ("detached: the request stays in %1$s, %2$d of %3$d slices are there."
                                        + " Run the cell again to wait again; %%slices shows how it"
                                        + " stands; %%slices --release cancels it, and so does"
                                        + " another stop within %4$d s.")
                                .formatted(
                                        queue.queue(),
                                        view().healthy().size(),
                                        slices,
                                        AGAIN.toSeconds()));
        try {
            var _ = session.await(_ -> false, AGAIN);
        } catch (InterruptedException again) {
            int freed = lease.release();
            cell.out()
                    .println(
                            "cancelled: %s of this kernel is left in %s"
                                    .formatted(
                                            freed == 1 ? "no slice" : "none of the slices",
                                            queue.queue()));
            throw again;
        }
    }
}
