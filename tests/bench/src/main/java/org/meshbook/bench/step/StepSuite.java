package org.meshbook.bench.step;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench step`, as it is typed.
public final class StepSuite {
    /// How it is typed.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench step",
                    List.of(),
                    List.of(
                            new Flag("--json", "OUT", "file for the result"),
                            new Flag("--engine", "NAME", "of the workers (onnx)"),
                            new Flag("--short", "", "few rounds")));

    private StepSuite() {}

    /// Measures and prints the table.
    ///
    /// @return 0 if it could be measured, whether or not goals hold
    public static int run(Given given, PrintStream out) throws IOException, InterruptedException {
        var options = given.has("--short") ? StepBench.Options.SHORT : StepBench.Options.WHOLE;
        var engine = given.text("--engine").orElse("onnx");
        var result = StepBench.measure(options, engine, out);
        if (given.has("--json")) {
            Files.writeString(Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
        }
        out.println(result.table().text());
        out.println("load average %.1f at the start".formatted(result.load()));
        return 0;
    }
}
