package org.meshbook.clients;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// A Python with JAX: `MESHBOOK_PYTHON`, else `python3`.
final class Jax {
    private static final int MINUTES = 4;

    private Jax() {}

    /// Ends the test as skipped where there is no JAX.
    static void require() throws InterruptedException {
        boolean there;
        try {
            start(List.of(python(), "-c", "import jax"));
            there = true;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(
                there,
                "skipped: no JAX in " + python() + "; pip install jax, or set MESHBOOK_PYTHON");
    }

    /// Runs a script that lies beside the tests.
    ///
    /// @param name of the resource
    /// @param folder to put it in
    /// @param arguments its command line
    /// @return what it prints
    static List<String> run(String name, Path folder, String... arguments)
            throws IOException, InterruptedException {
        var script = folder.resolve(name);
        try (var source = Jax.class.getResourceAsStream("/" + name)) {
            Files.write(script, Objects.requireNonNull(source, name).readAllBytes());
        }
        var command = new ArrayList<>(List.of(python(), script.toString()));
        command.addAll(Arrays.asList(arguments));
        return start(command);
    }

    private static String python() {
        return System.getenv().getOrDefault("MESHBOOK_PYTHON", "python3");
    }

    private static List<String> start(List<String> command)
            throws IOException, InterruptedException {
        var errors = Files.createTempFile("jax", ".err");
        var builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put("JAX_PLATFORMS", "cpu");
        var process = builder.start();
        try {
            process.getOutputStream().close();
            var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException(command + " failed: " + Files.readString(errors));
            }
            return text.lines().toList();
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(errors);
        }
    }
}
