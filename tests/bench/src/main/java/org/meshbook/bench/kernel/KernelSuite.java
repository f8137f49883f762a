package org.meshbook.bench.kernel;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench kernel`, as it is typed.
public final class KernelSuite {
    private static final int MOST_STARTS = 10_000;

    /// How it is typed.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench kernel",
                    List.of(),
                    List.of(
                            new Flag("--json", "OUT", "file for the result"),
                            new Flag("--kernel", "NAMES", "compare with these, as java,xpython"),
                            new Flag("--starts", "N", "only start N times; all must answer"),
                            new Flag("--short", "", "few rounds")));

    private KernelSuite() {}

    /// Measures and prints the table.
    ///
    /// @return 0 if what must hold holds
    public static int run(Given given, PrintStream out) throws IOException, InterruptedException {
        var names = given.text("--kernel").map(text -> List.of(text.split(","))).orElse(List.of());
        var peers = Peers.find(names, out);
        var starts = given.count("--starts", 1, MOST_STARTS);
        if (starts.isPresent()) {
            return new Starts(peers.getFirst(), out).run(starts.get()) == starts.get() ? 0 : 1;
        }
        var options = given.has("--short") ? KernelBench.Options.SHORT : KernelBench.Options.WHOLE;
        var result = new KernelBench(options, peers, out).run();
        if (given.has("--json")) {
            Files.writeString(Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
        }
        out.println(result.table().text());
        out.println(
                "load average %.1f at the start; ratio is to %s"
                        .formatted(result.load(), "ipykernel"));
        return 0;
    }
}
