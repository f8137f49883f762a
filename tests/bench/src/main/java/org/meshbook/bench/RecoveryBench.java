package org.meshbook.bench;

import java.io.PrintStream;
import java.time.Duration;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.manager.Manager;

/// Ends random workers of four while a training loop runs, and measures from each kill to the next
/// finished step.
final class RecoveryBench {
    static final int SLICES = 4;

    private static final int DEVICES = 2;

    private final Options options;
    private final PrintStream out;

    /// @param kills how many workers to end
    /// @param signal KILL, STOP or TERM
    /// @param heartbeat interval of heartbeats
    /// @param restartDelay until a worker returns
    /// @param seed of the choice of workers
    record Options(int kills, String signal, Duration heartbeat, Duration restartDelay, int seed) {}

    RecoveryBench(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    RecoveryResult run() throws InterruptedException {
        // 1. four slices of our own
        try (var session = Session.open(SessionOptions.named("bench recovery"))) {
            return measure(
                    session.provision(
                            ProvisionRequest.of(SLICES)
                                    .withEngine("onnx")
                                    .withDevices(DEVICES)
                                    .withHeartbeat(options.heartbeat())
                                    .withRestartDelay(options.restartDelay())));
        }
    }

    private RecoveryResult measure(MeshRuntime runtime) throws InterruptedException {
        try (var manager = Manager.current()) {
            // 2. kill beside the program
            var killer = new Killer(options, runtime, out);
            var killing = Thread.ofPlatform().name("meshbook-bench-killer").start(killer::run);
            // 3. the program, until all are killed
            var loop = new TrainingLoop(manager, DEVICES, killer::finished);
            long steps = loop.run(killer::done);
            killing.join();
            // 4. the account
            out.println("%d steps".formatted(steps));
            return new RecoveryResult(
                    options.kills(), killer.times(), killer.again(), manager.recoveries().all());
        }
    }
}
