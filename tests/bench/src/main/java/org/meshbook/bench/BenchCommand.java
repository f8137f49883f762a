package org.meshbook.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.meshbook.bench.attach.AttachSuite;
import org.meshbook.bench.checkpoint.CheckpointSuite;
import org.meshbook.bench.kernel.KernelSuite;
import org.meshbook.bench.queue.QueueSuite;
import org.meshbook.bench.sim.SimSuite;
import org.meshbook.bench.snapshot.SnapshotSuite;
import org.meshbook.bench.step.StepSuite;
import org.meshbook.elastic.ElasticException;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// Measures; the suite's name comes first.
public final class BenchCommand implements Command {
    private static final Set<String> SUITES =
            Set.of(
                    "checkpoint",
                    "kernel",
                    "queue",
                    "recovery",
                    "sim",
                    "snapshot",
                    "step",
                    "attach");
    private static final int MOST_KILLS = 100_000;

    private static final Grammar RECOVERY =
            new Grammar(
                    "bench recovery",
                    List.of(),
                    List.of(
                            new Flag("--kills", "N", "how many workers to end (10)"),
                            new Flag("--json", "OUT", "file for the result"),
                            new Flag(
                                    "--signal",
                                    "S",
                                    "KILL ends a worker, STOP makes it hang, TERM asks it to"
                                            + " leave"),
                            new Flag("--heartbeat", "TIME", "interval of heartbeats (200ms)"),
                            new Flag("--restart-delay", "TIME", "until a worker returns (200ms)"),
                            new Flag("--seed", "N", "of the choice of workers (1)")));

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public String summary() {
        return "measures; suites: checkpoint [--mb N], kernel [--short] [--starts N],"
                + " queue [--jobs N] [--pending N], recovery [--kills N], sim [--slices N], snapshot [--mib N],"
                + " step [--engine NAME] [--short], attach [--rounds N]; each [--json OUT]";
    }

    @Override
    public int run(List<String> arguments) throws InterruptedException, IOException {
        try {
            var suite = arguments.isEmpty() ? "" : arguments.getFirst();
            if (suite.equals("kernel")) {
                var rest = arguments.subList(1, arguments.size());
                return KernelSuite.run(KernelSuite.GRAMMAR.parse(rest), System.out);
            }
            if (suite.equals("queue")) {
                var rest = arguments.subList(1, arguments.size());
                return QueueSuite.run(QueueSuite.GRAMMAR.parse(rest), System.out);
            }
            if (suite.equals("sim")) {
                var rest = arguments.subList(1, arguments.size());
                return SimSuite.run(SimSuite.GRAMMAR.parse(rest), System.out);
            }
            if (suite.equals("snapshot")) {
                var rest = arguments.subList(1, arguments.size());
                return SnapshotSuite.run(SnapshotSuite.GRAMMAR.parse(rest), System.out);
            }
            if (suite.equals("step")) {
                var rest = arguments.subList(1, arguments.size());
                return StepSuite.run(StepSuite.GRAMMAR.parse(rest), System.out);
            }
            if (suite.equals("checkpoint")) {
                var rest = arguments.subList(1, arguments.size());
                return CheckpointSuite.run(CheckpointSuite.GRAMMAR.parse(rest), System.out);
            }
            if (suite.equals("attach")) {
                var rest = arguments.subList(1, arguments.size());
                return AttachSuite.run(AttachSuite.GRAMMAR.parse(rest), System.out);
            }
            if (!suite.equals("recovery")) {
                throw new MagicException(
                        "bench %s: not known; suites: checkpoint, kernel, queue, recovery, sim, snapshot, step, attach%s"
                                .formatted(suite, Nearest.hint(suite, SUITES)));
            }
            return recovery(RECOVERY.parse(arguments.subList(1, arguments.size())));
        } catch (MagicException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 2;
        } catch (ElasticException e) {
            System.err.println("meshbook: bench: " + e.getMessage());
            return 1;
        }
    }

    private static int recovery(Given given) throws InterruptedException, IOException {
        var signal = given.text("--signal").orElse("KILL");
        if (!Set.of("KILL", "STOP", "TERM").contains(signal)) {
            throw new MagicException(
                    "bench recovery: --signal is '%s'; give KILL, STOP or TERM".formatted(signal));
        }
        var options =
                new RecoveryBench.Options(
                        given.count("--kills", 1, MOST_KILLS).orElse(10),
                        signal,
                        given.time("--heartbeat").orElse(Duration.ofMillis(200)),
                        given.time("--restart-delay").orElse(Duration.ofMillis(200)),
                        given.count("--seed", 0, Integer.MAX_VALUE).orElse(1));
        var result = new RecoveryBench(options, System.out).run();
        if (given.has("--json")) {
            Files.writeString(Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
        }
        System.out.println(result.table().text());
        return result.recovered() == options.kills() ? 0 : 1;
    }
}
