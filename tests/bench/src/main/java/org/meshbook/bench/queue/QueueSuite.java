package org.meshbook.bench.queue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench queue`, as it is typed.
public final class QueueSuite {
    private static final int JOBS = 1_000;
    private static final int SLOW_JOBS = 200;
    private static final int SLOW_AT_A_TIME = 10;
    private static final int MOST = 1_000_000;
    private static final int DECISIONS = 1_000_000;
    private static final int SMALLER = 10;
    private static final int WITH_OBJECTS = 10_000;
    private static final int ROUNDS = 20;

    /// How it is typed.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench queue",
                    List.of(),
                    List.of(
                            new Flag("--jobs", "N", "how many Jobs of one pod (1000)"),
                            new Flag(
                                    "--at-a-time",
                                    "N",
                                    "how many have quota at once (all; and 200 jobs, 10 at a time)"),
                            new Flag(
                                    "--pending",
                                    "N",
                                    "instead: how fast is decided while so many wait"),
                            new Flag(
                                    "--kubeconfig",
                                    "FILE",
                                    "measures that cluster instead of an embedded one"),
                            new Flag("--json", "OUT", "file for the result")));

    private QueueSuite() {}

    /// Measures and prints a table.
    ///
    /// @return 0; 1 if it came to no end
    public static int run(Given given, PrintStream out) throws IOException, InterruptedException {
        try {
            var json = given.has("--pending") ? pending(given, out) : admissions(given, out);
            if (given.has("--json")) {
                Files.writeString(Path.of(given.text("--json").orElseThrow()), json + "\n");
            }
            return 0;
        } catch (QueueBenchFailed failed) {
            out.println("bench queue: " + failed.getMessage());
            return 1;
        }
    }

    // ---- while many wait

    private static String pending(Given given, PrintStream out) {
        int most = given.count("--pending", SMALLER * Crowd.QUEUES, MOST).orElse(MOST);
        // what is compiled first must not look slow
        new PendingBench(most / SMALLER, DECISIONS / SMALLER).run();
        var rows = new ArrayList<PendingResult.Row>();
        for (int size : new int[] {most / SMALLER, most}) {
            rows.add(new PendingBench(size, DECISIONS).run());
        }
        int objects = Math.min(most, WITH_OBJECTS);
        for (int size : new int[] {objects / SMALLER, objects}) {
            out.println("%,d jobs before a cluster's queues ...".formatted(size));
            rows.add(new ObjectsBench(size, ROUNDS).run());
        }
        var result = new PendingResult(rows);
        out.println(result.table().text());
        return result.json();
    }

    // ---- over the API

    private static String admissions(Given given, PrintStream out)
            throws IOException, InterruptedException {
        var kubeconfig = given.text("--kubeconfig").map(Path::of);
        if (kubeconfig.isPresent()) {
            return told(
                    new AdmissionResult(rows(given, kubeconfig.get(), Head.NONE, out), 0, 0, 0),
                    out);
        }
        var folder = Files.createTempDirectory("meshbook-bench-");
        try (var session = Session.open(SessionOptions.named("bench queue").withFolder(folder))) {
            var facts = session.guest("cluster", Map.of());
            var head = new Head(session.headPid());
            double before = head.memory();
            var rows = rows(given, Path.of(facts.getOrDefault("kubeconfig", "")), head, out);
            return told(new AdmissionResult(rows, before, head.memory(), head.most()), out);
        } finally {
            LocalHead.at(folder).stop();
            sweep(folder);
        }
    }

    private static String told(AdmissionResult result, PrintStream out) {
        out.println(result.table().text());
        if (!result.memory().isEmpty()) {
            out.println(result.memory());
        }
        return result.json();
    }

    private static List<AdmissionResult.Row> rows(
            Given given, Path kubeconfig, Head head, PrintStream out) throws InterruptedException {
        int jobs = given.count("--jobs", 1, MOST).orElse(JOBS);
        var atATime = given.count("--at-a-time", 1, MOST);
        var rows = new ArrayList<AdmissionResult.Row>();
        try (var cluster = Clusters.open(Optional.of(kubeconfig), Optional.empty())) {
            // the second time shows what compiled code does, which a cluster that has run a while
            // is
            for (int round = 0; round < 2; round++) {
                rows.add(new AdmissionBench(cluster, head, jobs, atATime.orElse(jobs), out).run());
            }
            if (atATime.isEmpty()) {
                int fewer = Math.min(jobs, SLOW_JOBS);
                rows.add(new AdmissionBench(cluster, head, fewer, SLOW_AT_A_TIME, out).run());
            }
        }
        return rows;
    }

    private static void sweep(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
