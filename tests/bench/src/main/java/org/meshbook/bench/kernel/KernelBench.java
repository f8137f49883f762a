package org.meshbook.bench.kernel;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Measures kernels in turns, so that what else the machine does meets all of them.
final class KernelBench {
    private static final double CELLS_GOAL_MS = 10;
    private static final Duration REST = Duration.ofSeconds(3);
    private static final Duration UNDER_WAY = Duration.ofMillis(700);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int EARLY = 100;
    private static final int LATE = 1900;

    /// How much of it.
    ///
    /// @param starts of each kernel
    /// @param cells of each kernel that are timed
    /// @param drift whether the cells go on to the 2,000th
    /// @param lines that are printed
    /// @param interrupts of each kind of cell
    record Options(int starts, int cells, boolean drift, int lines, int interrupts) {
        static final Options WHOLE = new Options(7, 200, true, 100_000, 3);
        static final Options SHORT = new Options(2, 50, false, 20_000, 1);
    }

    private final Options options;
    private final List<Peer> peers;
    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);

    KernelBench(Options options, List<Peer> peers, PrintStream out) {
        this.options = options;
        this.peers = List.copyOf(peers);
        this.out = out;
    }

    KernelResult run() throws IOException, InterruptedException {
        var load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        starts();
        cells();
        if (options.interrupts() > 0) {
            interrupts();
        }
        return new KernelResult(peers.stream().map(Peer::name).toList(), rows, load);
    }

    private Row row(String id, String what, Row.Goal goal) {
        var row = Row.of(id, what, goal);
        rows.add(row);
        return row;
    }

    private void starts() throws IOException, InterruptedException {
        var info = row("kernel_info_ms", "launch to kernel_info, ms", Row.Goal.NONE);
        var first =
                row("first_result_ms", "launch to first result, ms", Row.Goal.ratio(0.8, "0.8 x"));
        var rss =
                row("resident_mib", "resident, idle after a cell, MiB", Row.Goal.most(180, "180"));
        var pss = row("proportional_mib", "the same, shared pages divided", Row.Goal.NONE);
        var left =
                row(
                        "shutdown_ms",
                        "shutdown after a cell, all gone, ms",
                        Row.Goal.most(300, "300"));
        // The first round reads everything from the disk and does not count.
        for (var round = 0; round <= options.starts(); round++) {
            for (var peer : peers) {
                try (var front = Front.start(peer)) {
                    front.ask("kernel_info_request", Map.of());
                    var toInfo = front.sinceLaunch();
                    front.run(peer.sum().apply(1));
                    var toFirst = front.sinceLaunch();
                    rest(REST);
                    var memory = front.processes();
                    var resident = memory.residentMib();
                    var proportional = memory.proportionalMib();
                    var gone = front.shutdown();
                    if (round > 0) {
                        info.add(peer.name(), ms(toInfo));
                        first.add(peer.name(), ms(toFirst));
                        rss.add(peer.name(), resident);
                        pss.add(peer.name(), proportional);
                        left.add(peer.name(), gone == null ? Double.POSITIVE_INFINITY : ms(gone));
                    }
                }
            }
            out.println("start %d of %d".formatted(round, options.starts()));
        }
    }

    private void cells() throws IOException, InterruptedException {
        var fronts = new ArrayList<Front>();
        try {
            for (var peer : peers) {
                var front = Front.start(peer);
                fronts.add(front);
                front.run(peer.sum().apply(1));
            }
            sums(fronts);
            sameCell(fronts);
            questions(fronts);
            flood(fronts);
        } finally {
            for (var front : fronts) {
                front.close();
            }
        }
    }

    private void sums(List<Front> fronts) throws IOException, InterruptedException {
        var middle =
                row(
                        "cell_p50_ms",
                        "i+1, another each time, p50, ms",
                        new Row.Goal(1.5, CELLS_GOAL_MS, "1.5 x, 10"));
        var slow = row("cell_p95_ms", "i+1, p95, ms", Row.Goal.NONE);
        var drift =
                row(
                        "cell_drift",
                        "i+1, evaluations 1,900-2,000 by 100-200",
                        Row.Goal.most(1.2, "1.2"));
        var count = options.drift() ? LATE + EARLY : options.cells();
        var took = fronts.stream().map(_ -> new ArrayList<Double>()).toList();
        for (var i = 0; i < count; i++) {
            for (var at = 0; at < fronts.size(); at++) {
                took.get(at).add(ms(fronts.get(at).run(peers.get(at).sum().apply(i)).reply()));
            }
        }
        for (var at = 0; at < fronts.size(); at++) {
            var all = took.get(at);
            var counted = all.subList(0, Math.min(options.cells(), all.size()));
            middle.add(peers.get(at).name(), Row.at(counted, 0.5));
            slow.add(peers.get(at).name(), Row.at(counted, 0.95));
            if (options.drift()) {
                drift.add(
                        peers.get(at).name(),
                        Row.at(all.subList(LATE, LATE + EARLY), 0.5)
                                / Row.at(all.subList(EARLY, 2 * EARLY), 0.5));
            }
        }
        out.println("%d cells each".formatted(count));
    }

    /// One cell run again and again; each of the sums before was another text.
    private void sameCell(List<Front> fronts) throws IOException, InterruptedException {
        var row = row("same_cell_p50_ms", "the same cell again, p50, ms", Row.Goal.NONE);
        var took = fronts.stream().map(_ -> new ArrayList<Double>()).toList();
        for (var i = 0; i < options.cells(); i++) {
            for (var at = 0; at < fronts.size(); at++) {
                took.get(at).add(ms(fronts.get(at).run(peers.get(at).sum().apply(1)).reply()));
            }
        }
        for (var at = 0; at < fronts.size(); at++) {
            row.add(peers.get(at).name(), Row.at(took.get(at), 0.5));
        }
    }

    private void questions(List<Front> fronts) throws IOException, InterruptedException {
        var complete = row("complete_p50_ms", "completion, warm, p50, ms", Row.Goal.most(10, "10"));
        var inspect = row("inspect_p50_ms", "inspection, warm, p50, ms", Row.Goal.NONE);
        var heartbeat = row("heartbeat_ms", "heartbeat, ms", Row.Goal.NONE);
        for (var at = 0; at < fronts.size(); at++) {
            var peer = peers.get(at);
            var front = fronts.get(at);
            var texts = peer.complete();
            for (var i = 0; i < 60; i++) {
                var text = texts.get(i % texts.size());
                var took =
                        front.ask(
                                "complete_request",
                                Map.of("code", text, "cursor_pos", text.length()));
                if (i >= texts.size()) {
                    complete.add(peer.name(), ms(took));
                }
            }
            for (var i = 0; i < 20; i++) {
                var text = peer.inspect();
                var asked = Map.of("code", text, "cursor_pos", text.length(), "detail_level", 0);
                var took = front.ask("inspect_request", asked);
                if (i > 0) {
                    inspect.add(peer.name(), ms(took));
                }
            }
            for (var i = 0; i < 10; i++) {
                heartbeat.add(peer.name(), ms(front.heartbeat()));
            }
        }
        out.println("questions asked");
    }

    private void flood(List<Front> fronts) throws IOException, InterruptedException {
        var lines = options.lines();
        var took =
                row(
                        "flood_ms",
                        "%,d println, send to idle, ms".formatted(lines),
                        Row.Goal.ratio(1, "1 x"));
        var lost = row("flood_lost", "lines of it that did not arrive", Row.Goal.most(0, "0"));
        for (var round = 0; round < 3; round++) {
            for (var at = 0; at < fronts.size(); at++) {
                var ran = fronts.get(at).run(peers.get(at).flood().apply(lines));
                took.add(peers.get(at).name(), ms(ran.toIdle()));
                lost.add(peers.get(at).name(), lines - ran.lines());
            }
        }
        out.println("%,d lines printed three times".formatted(lines));
    }

    private void interrupts() throws IOException, InterruptedException {
        for (var kind : Peer.ENDLESS) {
            var id = kind.replace(' ', '_');
            var took =
                    row(
                            "interrupt_" + id + "_ms",
                            "interrupt to idle, %s, ms".formatted(kind),
                            Row.Goal.most(100, "100"));
            var burnt =
                    row(
                            "burnt_" + id,
                            "cores busy in the fourth second after",
                            Row.Goal.most(0.1, "0"));
            for (var round = 0; round < options.interrupts(); round++) {
                for (var peer : peers) {
                    interrupt(peer, kind, took, burnt);
                }
            }
            out.println("interrupted: %s".formatted(kind));
        }
    }

    private void interrupt(Peer peer, String kind, Row took, Row burnt)
            throws IOException, InterruptedException {
        try (var front = Front.start(peer)) {
            front.run(peer.sum().apply(1));
            var cell = front.begin(java.util.Objects.requireNonNull(peer.endless().get(kind)));
            rest(UNDER_WAY);
            var sent = System.nanoTime();
            front.interrupt(peer);
            took.add(peer.name(), ms(front.await(sent, cell).toIdle()));
            // What is warmed, compiled and collected because of the start, once the kernel has
            // rested
            // for a second, is no thread left behind.
            rest(REST);
            var before = front.processes().cpu();
            rest(SECOND);
            var busy = front.processes().cpu().minus(before);
            burnt.add(peer.name(), busy.toMillis() / 1000.0);
            front.run(peer.sum().apply(2));
        }
    }

    private void rest(Duration time) throws InterruptedException {
        var unused = never.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static double ms(Duration time) {
        return time.toNanos() / 1e6;
    }
}
