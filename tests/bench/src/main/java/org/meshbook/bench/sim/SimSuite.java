package org.meshbook.bench.sim;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench sim`, as it is typed.
public final class SimSuite {
    private static final int MOST_SLICES = 100_000;
    private static final int LARGEST = 4_096;
    private static final int SMALLEST = 64;
    private static final int STEP = 8;

    /// How it is typed.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench sim",
                    List.of(),
                    List.of(
                            new Flag("--slices", "N", "of the largest allocation (4096)"),
                            new Flag("--events", "N", "losses and returns on each (1000000)"),
                            new Flag("--json", "OUT", "file for the result")));

    private SimSuite() {}

    /// Measures and prints the table.
    ///
    /// @return 0
    public static int run(Given given, PrintStream out) throws IOException, InterruptedException {
        int largest = given.count("--slices", SMALLEST, MOST_SLICES).orElse(LARGEST);
        int events = given.count("--events", 1_000, Integer.MAX_VALUE).orElse(1_000_000);
        var rows = new ArrayList<SimResult.Row>();
        // what is compiled first must not look slow
        new Churn(SMALLEST, events / STEP).run();
        for (int slices = SMALLEST; slices < largest; slices *= STEP) {
            rows.add(measured(slices, events, out));
        }
        rows.add(measured(largest, events, out));
        var result = new SimResult(rows);
        if (given.has("--json")) {
            Files.writeString(Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
        }
        out.println(result.table().text());
        return 0;
    }

    private static SimResult.Row measured(int slices, int events, PrintStream out)
            throws InterruptedException {
        out.println("%d slices, %,d events ...".formatted(slices, events));
        return new Churn(slices, events).run();
    }
}
