package org.meshbook.bench.attach;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.magics.render.Amounts;

/// Kills a Meshbook that has published arrays, starts another one at that moment, and takes the
/// time until that one has attached and read a value of them.
///
/// @param rounds how often
/// @param mebibytes size of the published array
/// @param out where progress goes
record AttachBench(int rounds, int mebibytes, PrintStream out) {
    private static final String BEGIN =
            """
            %%slices 4 --devices 2
            var mesh = Mesh.of(Manager.current().activeDevices(), axis("replica", 4), axis("model", 2));
            publish("x", put(Array.normal(1, 8, %d, 32768), mesh.sharding("replica")));
            System.out.println("ready");
            """;
    private static final String AGAIN =
            """
            var begun = System.nanoTime();
            %attach
            var x = lookup("x", Array.class);
            var attached = System.nanoTime();
            var first = x.toString();
            System.out.println("attached " + (attached - begun));
            System.out.println("read " + x.sum().item());
            """;

    /// @return what was measured
    /// @throws IOException if a process cannot be started or says something else
    AttachResult run() throws IOException {
        var times = new ArrayList<Duration>();
        var cells = new ArrayList<Duration>();
        for (int round = 1; round <= rounds; round++) {
            var folder = Files.createTempDirectory("meshbook-bench-");
            try {
                round(folder, times, cells);
            } finally {
                LocalHead.at(folder).stop();
                sweep(folder);
            }
            out.printf(
                    "round %d: %s, of it the cells %s%n",
                    round,
                    Amounts.time(times.getLast().toNanos()),
                    Amounts.time(cells.getLast().toNanos()));
        }
        return new AttachResult(mebibytes, times, cells);
    }

    private void round(Path folder, ArrayList<Duration> times, ArrayList<Duration> cells)
            throws IOException {
        Process first = start(folder, BEGIN.formatted(Math.max(1, mebibytes)));
        try {
            await(first, "ready");
        } finally {
            first.destroyForcibly();
        }
        long killed = System.nanoTime();
        Process second = start(folder, AGAIN);
        try {
            var said = await(second, "attached ");
            times.add(Duration.ofNanos(System.nanoTime() - killed));
            cells.add(Duration.ofNanos(Long.parseLong(said.substring("attached ".length()))));
            await(second, "read ");
        } finally {
            second.destroyForcibly();
        }
    }

    private static Process start(Path folder, String typed) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var jar = System.getProperty("java.class.path").split(File.pathSeparator, -1)[0];
        var builder = new ProcessBuilder(java, "-XX:+UseSerialGC", "-jar", jar);
        builder.environment().put("MESHBOOK_RUNTIME_DIR", folder.toString());
        builder.redirectErrorStream(true);
        Process process = builder.start();
        process.outputWriter().write(typed);
        process.outputWriter().flush();
        return process;
    }

    private static String await(Process process, String wanted) throws IOException {
        var heard = new StringBuilder();
        for (var line = process.inputReader().readLine();
                line != null;
                line = process.inputReader().readLine()) {
            if (line.startsWith(wanted)) {
                return line;
            }
            heard.append(line).append('\n');
        }
        throw new IOException("the process ended without '%s': %s".formatted(wanted, heard));
    }

    private static void sweep(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
