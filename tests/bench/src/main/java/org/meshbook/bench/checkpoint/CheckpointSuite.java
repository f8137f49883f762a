package org.meshbook.bench.checkpoint;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `bench checkpoint`: four slices as processes of this machine save a state and restore it.
public final class CheckpointSuite {
    /// How it is typed.
    public static final Grammar GRAMMAR =
            new Grammar(
                    "bench checkpoint",
                    List.of(),
                    List.of(
                            new Flag("--json", "OUT", "file for the result"),
                            new Flag("--rounds", "N", "how often each is measured (5)"),
                            new Flag("--mb", "N", "megabytes of the state (268)"),
                            new Flag("--folder", "DIR", "the durable place (a temporary one)")));

    private static final int SLICES = 4;
    private static final int DEVICES = 2;
    private static final int USUAL_MB = 268;

    private CheckpointSuite() {}

    /// Measures and prints the table.
    ///
    /// @param given the arguments
    /// @param out where to
    /// @return 0 if every restore came from the tier that it should, with the bytes that were saved
    /// @throws IOException if the folders cannot be made
    /// @throws InterruptedException if the thread is interrupted
    public static int run(Given given, PrintStream out) throws IOException, InterruptedException {
        var options =
                new CheckpointBench.Options(
                        given.count("--rounds", 1, 1000).orElse(5),
                        given.count("--mb", 1, 100_000).orElse(USUAL_MB),
                        given.text("--folder")
                                .map(Path::of)
                                .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"))));
        try (var session = Session.open(SessionOptions.named("bench checkpoint"))) {
            var runtime =
                    session.provision(
                            ProvisionRequest.of(SLICES).withEngine("onnx").withDevices(DEVICES));
            var result = new CheckpointBench(options, runtime).run();
            if (given.has("--json")) {
                Files.writeString(
                        Path.of(given.text("--json").orElseThrow()), result.json() + "\n");
            }
            out.println(result.table().text());
            return 0;
        }
    }
}
