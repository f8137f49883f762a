package org.meshbook.bench.attach;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench attach`.
public final class AttachSuite {
    /// What may be given.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench attach",
                    List.of(),
                    List.of(
                            new Flag("--rounds", "N", "how many programs to kill (5)"),
                            new Flag("--mib", "N", "size of the published array (64)"),
                            new Flag("--json", "OUT", "file for the result")));

    private static final int MOST_ROUNDS = 1_000;
    private static final int MOST_MIB = 4_096;

    private AttachSuite() {}

    /// @param given what was typed
    /// @param out where progress and the result go
    /// @return 0
    /// @throws IOException if a process cannot be started or the result cannot be written
    public static int run(Given given, PrintStream out) throws IOException {
        int rounds = given.count("--rounds", 1, MOST_ROUNDS).orElse(5);
        int mebibytes = given.count("--mib", 1, MOST_MIB).orElse(64);
        var result = new AttachBench(rounds, mebibytes, out).run();
        if (given.has("--json")) {
            Files.writeString(Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
        }
        out.println(result.table().text());
        return 0;
    }
}
