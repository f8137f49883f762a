package org.meshbook.bench.step;

import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.mesh.Mesh;

/// Measures training steps here and in JAX in turns, so that what else the machine does meets both.
final class StepBench {
    private static final int CORES = 2;
    private static final double ROWS_OF_MLP = 128;
    private static final double KIB_PER_MB = 1e6 / 1024;

    /// How much of it.
    ///
    /// @param rounds of each row
    /// @param share of a round's steps that are done
    record Options(int rounds, double share) {
        static final Options WHOLE = new Options(11, 1);
        static final Options SHORT = new Options(3, 0.2);

        int steps(int whole) {
            return Math.max(2, (int) (share * whole));
        }
    }

    private final Options options;
    private final String engine;
    private final Optional<JaxPeer> jax;
    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();

    private StepBench(Options options, String engine, Optional<JaxPeer> jax, PrintStream out) {
        this.options = options;
        this.engine = engine;
        this.jax = jax;
        this.out = out;
    }

    static StepResult measure(Options options, String engine, PrintStream out)
            throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        var jax = JaxPeer.start();
        if (jax.isEmpty()) {
            out.println(
                    "no JAX here, so that nothing is compared: pip install jax, and name that"
                            + " Python by MESHBOOK_PYTHON");
        }
        try {
            var bench = new StepBench(options, engine, jax, out);
            bench.oneWorker();
            bench.twoWorkers();
            return new StepResult(engine, jax.map(JaxPeer::version), load, bench.rows);
        } finally {
            if (jax.isPresent()) {
                jax.get().close();
            }
        }
    }

    private void oneWorker() throws IOException, InterruptedException {
        try (var session = Session.open(SessionOptions.named("bench step"));
                var runtime = session.provision(workers(1))) {
            var mesh = mesh(runtime);
            var mlp = Programs.mlp(mesh, 1);
            rounds(
                    new Row("P7", "MLP step, ms", Row.Goal.timesJax(1.0, 1.05)),
                    60,
                    mlp::pipelined,
                    "mlp_pipelined");
            rounds(
                    new Row("P7 waiting", "the same, each loss read, ms", Row.Goal.NONE),
                    60,
                    mlp::waiting,
                    "mlp_waiting");
            memory(runtime);
            var tiny = Programs.tiny(mesh);
            rounds(
                    new Row(
                            "P11 waiting",
                            "tiny step, each loss read, ms",
                            Row.Goal.timesJax(4, 4)),
                    1000,
                    tiny::waiting,
                    "tiny_waiting");
            rounds(
                    new Row("P11 pipelined", "tiny step, ms", Row.Goal.timesJax(2, 2)),
                    2000,
                    tiny::pipelined,
                    "tiny_pipelined");
            compilation(mesh);
            var transformer = Programs.transformer(mesh, 1e-3);
            rounds(
                    new Row("P7c", "transformer step, ms", Row.Goal.timesJax(1.0, 1.05)),
                    5,
                    transformer::pipelined,
                    "transformer_pipelined");
        }
    }

    /// Examples a second, so that more is better: two workers of one thread, each with its own 128
    /// rows, against one JAX process with all threads.
    private void twoWorkers() throws IOException, InterruptedException {
        try (var session = Session.open(SessionOptions.named("bench step"));
                var runtime = session.provision(workers(2))) {
            var mlp = Programs.mlp(mesh(runtime), 2);
            var row =
                    new Row(
                            "P7b",
                            "MLP on two workers of one thread, examples/s",
                            Row.Goal.atLeastTimesJax(1.2));
            rounds(
                    row,
                    60,
                    steps -> 2 * ROWS_OF_MLP * 1000 / mlp.pipelined(steps),
                    "mlp_pipelined");
            row.peers().replaceAll(ms -> ROWS_OF_MLP * 1000 / ms);
        }
    }

    /// The first round warms up and does not count.
    private void rounds(Row row, int whole, IntToDoubleFunction ours, String peer)
            throws IOException {
        rows.add(row);
        int steps = options.steps(whole);
        for (int round = 0; round <= options.rounds(); round++) {
            double mine = ours.applyAsDouble(steps);
            Optional<Double> theirs =
                    jax.isPresent()
                            ? Optional.of(jax.get().measure(peer, steps))
                            : Optional.empty();
            if (round > 0) {
                row.ours().add(mine);
                theirs.ifPresent(row.peers()::add);
            }
        }
        out.println("%s done".formatted(row.id()));
    }

    /// From a function that was never traced to its first loss, less what a step takes.
    private void compilation(Mesh mesh) throws IOException {
        var row =
                new Row(
                        "compile",
                        "transformer: trace and compile, ms",
                        Row.Goal.timesJax(1.0, 1.0));
        rows.add(row);
        int rounds = Math.max(1, options.rounds() / 2);
        for (int round = 0; round <= rounds; round++) {
            var fresh = Programs.transformer(mesh, 1e-3 + 1e-6 * (round + 1));
            double first = fresh.waiting(1);
            double mine = first - fresh.waiting(1);
            Optional<Double> theirs =
                    jax.isPresent()
                            ? Optional.of(jax.get().measure("compile", round + 1))
                            : Optional.empty();
            if (round > 0) {
                row.ours().add(mine);
                theirs.ifPresent(row.peers()::add);
            }
        }
        out.println("compile done");
    }

    private void memory(MeshRuntime runtime) throws IOException {
        var row =
                new Row("memory", "worker that trained the MLP, resident, MB", Row.Goal.most(120));
        long pid = runtime.view().slices().getFirst().hosts().getFirst().pid();
        var status = Path.of("/proc", Long.toString(pid), "status");
        if (Files.exists(status)) {
            rows.add(row);
            row.ours().add(residentKib(status) / KIB_PER_MB);
        }
    }

    private static long residentKib(Path status) throws IOException {
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }

    private ProvisionRequest workers(int slices) {
        return ProvisionRequest.of(slices)
                .withEngine(engine)
                .withDevices(1)
                .withThreads(CORES / slices);
    }

    private static Mesh mesh(MeshRuntime runtime) {
        return Mesh.of(runtime.devices(), axis("replica", runtime.devices().size()));
    }
}
