package org.meshbook.bench.snapshot;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench snapshot`, as it is typed.
public final class SnapshotSuite {
    private static final int MOST_MIB = 8_192;
    private static final int MOST_ROUNDS = 10_000;

    /// How it is typed.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench snapshot",
                    List.of(),
                    List.of(
                            new Flag("--mib", "N", "size of the state at each of 4 slices (256)"),
                            new Flag("--rows", "N", "rows of a batch, over all slices (96)"),
                            new Flag("--rounds", "N", "saves, and pairs of intervals (10)"),
                            new Flag("--json", "OUT", "file for the result")));

    private SnapshotSuite() {}

    /// Measures and prints the table.
    ///
    /// @return 0
    public static int run(Given given, PrintStream out) throws IOException, InterruptedException {
        var options =
                new SnapshotBench.Options(
                        given.count("--mib", 1, MOST_MIB).orElse(256),
                        given.count("--rows", 1, MOST_ROUNDS).orElse(96),
                        given.count("--rounds", 1, MOST_ROUNDS).orElse(10));
        var result = new SnapshotBench(options, out).run();
        if (given.has("--json")) {
            Files.writeString(Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
        }
        out.println(result.table().text());
        return 0;
    }
}
