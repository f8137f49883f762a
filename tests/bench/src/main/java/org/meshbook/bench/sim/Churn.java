package org.meshbook.bench.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.sim.SimTimes;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.index.SliceSet;

/// Slices go and come, one loss each hundredth of a virtual second, under a manager whose program
/// drops what is lost and claims what is back.
final class Churn {
    static final int PARTS = 10;

    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final double MIB = 1 << 20;

    private final int slices;
    private final int events;
    private final List<Integer> lost = new ArrayList<>();
    private long seen;

    Churn(int slices, int events) {
        this.slices = slices;
        this.events = events;
    }

    SimResult.Row run() throws InterruptedException {
        var sim = Simulation.of(slices, 1, SimTimes.LOCAL.restart(Duration.ofMillis(200)));
        var random = new Random(1);
        try (var manager = new Manager(sim);
                var _ = sim.watch(event -> seen++);
                var _ = manager.onEvent(this::heard)) {
            manager.startMonitoring(Duration.ofSeconds(10));
            var parts = new ArrayList<Double>();
            double heap = 0;
            for (int part = 1; part <= PARTS; part++) {
                long begin = System.nanoTime();
                long before = seen;
                while (seen < (long) events * part / PARTS) {
                    sim.kill(random.nextInt(slices));
                    step(sim, manager);
                }
                parts.add((System.nanoTime() - begin) / (double) (seen - before));
                heap = part == 1 ? heap() : heap;
            }
            return new SimResult.Row(
                    slices,
                    seen,
                    parts,
                    sim.clock().elapsed(),
                    manager.activeSliceCount(),
                    heap() - heap);
        }
    }

    private void step(Simulation sim, Manager manager) throws InterruptedException {
        // 1. drop what is lost
        if (!lost.isEmpty()) {
            manager.activate(SliceSet.copyOf(manager.activeSliceIndices()).minus(Set.copyOf(lost)));
            lost.clear();
        }
        // 2. claim what is back
        var back = manager.availableInactiveSlices();
        if (!back.isEmpty()) {
            manager.tryClaim(back);
        }
        sim.clock().await(PERIOD, () -> false);
    }

    private void heard(ElasticEvent event) {
        if (event instanceof ElasticEvent.SliceDown down && down.active()) {
            lost.add(down.slice());
        }
    }

    private static double heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }
}
