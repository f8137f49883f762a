package org.meshbook.elastic.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.SnapshotOptions;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.data.Audit;
import org.meshbook.elastic.data.Batches;
import org.meshbook.elastic.data.Data;
import org.meshbook.elastic.data.Feed;
import org.meshbook.elastic.data.Position;
import org.meshbook.elastic.manager.Attempt;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;

/// The program that faults befall: reads shuffled rows ahead, folds them into a value that depends
/// on every row and on their order, saves, resizes, and checks itself at every step.
final class Training {
    static final int STEPS = 60;

    private static final int ROWS = 50;
    private static final int BATCH = 12;
    private static final Data<Array> DATA =
            Data.of((Array) Array.iota(DType.I32, ROWS)).shuffle(11);

    private final Simulation sim;
    private final Manager manager;
    private final Faults faults;
    private final boolean scaled;
    private final int saveEvery;
    private final int readEvery;
    private final int kept;
    private Audit last = DATA.batch(BATCH).audit();

    /// State, step, position in the data and account of it: one unit.
    record State(Array sum, Array count, long step, Position data, Audit audit) {}

    Training(Simulation sim, Manager manager, Faults faults, Random random) {
        this.sim = sim;
        this.manager = manager;
        this.faults = faults;
        this.scaled = random.nextInt(3) == 0;
        this.saveEvery = 3 + random.nextInt(5);
        this.readEvery = 1 + random.nextInt(3);
        this.kept = 1 + random.nextInt(3);
    }

    /// Trains to the end.
    ///
    /// @return the last value
    double run(Retry retry) {
        try (var snapshots = new Snapshotter(manager, SnapshotOptions.DEFAULT.keep(kept))) {
            return manager.elasticRetry(retry, attempt -> attempt(attempt, snapshots));
        }
    }

    /// The account of the newest step that was read.
    Audit last() {
        return last;
    }

    boolean scaled() {
        return scaled;
    }

    /// What a run without faults yields after each step, with a constant batch.
    static Map<Long, Double> faultless() {
        var batches = DATA.batch(BATCH);
        var values = new TreeMap<Long, Double>();
        double sum = 1;
        long position = 0;
        for (long step = 1; step <= STEPS; step++) {
            sum = fold(sum, batches.at(position).toHost());
            position = batches.next(position);
            values.put(step, sum);
        }
        return values;
    }

    private double attempt(Attempt attempt, Snapshotter snapshots) {
        var mesh = Counting.mesh(manager);
        var state = snapshots.restoreLatestOr(mesh, this::fresh);
        check(state);
        var feed = feed(state.data());
        try {
            while (state.step() < STEPS) {
                state = next(mesh, state, feed);
                if (state.step() % readEvery == 0 || state.step() == STEPS) {
                    check(state);
                }
                if (state.step() % saveEvery == 0) {
                    snapshots.save(state.step(), state);
                    faults.saving();
                }
                attempt.completed(state.step());
                var resized = manager.resizeIfNeeded(mesh, state);
                mesh = resized.mesh();
                state = resized.state();
                if (resized.changed()) {
                    feed.close();
                    feed = feed(state.data());
                }
            }
            return state.sum().toHost().get(0);
        } finally {
            feed.close();
        }
    }

    private State fresh(Mesh mesh) {
        var batches = batches();
        return new State(
                sim.put(Array.scalar(1.0), mesh.replicated()),
                sim.put(Array.scalar(0.0), mesh.replicated()),
                0,
                batches.start(),
                batches.audit());
    }

    private State next(Mesh mesh, State state, Feed<Array> feed) {
        var rows = sim.put(feed.next(), mesh.replicated());
        var sum =
                sim.compute(
                        mesh.replicated(),
                        Duration.ofMillis(40),
                        List.of(state.sum(), rows),
                        in -> Array.scalar(fold(in.getFirst().get(0), in.getLast())));
        var count =
                sim.compute(
                        mesh.replicated(),
                        Duration.ofMillis(1),
                        List.of(state.count()),
                        in -> Array.scalar(in.getFirst().get(0) + 1));
        return new State(
                sum, count, state.step() + 1, feed.position(), state.audit().plus(feed.taken()));
    }

    /// Both arrays, the step, the position and the account are of one step, and the value is right.
    private void check(State state) {
        assertThat(state.count().toHost().get(0)).as("step of the arrays").isEqualTo(state.step());
        assertThat(state.audit().exactlyOnce()).as("%s", state.audit()).isTrue();
        double sum = state.sum().toHost().get(0);
        if (!scaled && state.step() > 0) {
            assertThat(sum)
                    .as("value of step %d", state.step())
                    .isEqualTo(Reference.VALUES.get(state.step()));
        }
        last = state.audit();
    }

    private Feed<Array> feed(Position from) {
        return batches().from(from);
    }

    /// Either the same rows a step on any mesh, or some for each slice.
    private Batches<Array> batches() {
        return DATA.batch(scaled ? 3 * manager.activeSliceCount() : BATCH).on(sim.clock());
    }

    private static double fold(double sum, HostArray rows) {
        for (double row : rows.doubles()) {
            sum = (sum * 31 + row) % 1_000_003;
        }
        return sum;
    }

    private static final class Reference {
        static final Map<Long, Double> VALUES = faultless();
    }
}
