package org.meshbook.bench.step;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// A Python process that does the same steps in JAX, when it is asked to.
final class JaxPeer implements AutoCloseable {
    private final Path script;
    private final Process process;
    private final Writer ask;
    private final BufferedReader answers;
    private final String version;

    private JaxPeer(Path script, Process process, String version, BufferedReader answers) {
        this.script = script;
        this.process = process;
        this.version = version;
        this.answers = answers;
        this.ask = process.outputWriter(UTF_8);
    }

    /// Starts it.
    ///
    /// @return empty if the Python that MESHBOOK_PYTHON names, else `python3`, has no JAX
    static Optional<JaxPeer> start() throws IOException {
        var script = Files.createTempFile("meshbook-jax-step", ".py");
        try (var source = JaxPeer.class.getResourceAsStream("jax_step.py")) {
            Files.write(script, Objects.requireNonNull(source).readAllBytes());
        }
        var python = System.getenv().getOrDefault("MESHBOOK_PYTHON", "python3");
        var builder =
                new ProcessBuilder(python, script.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAX_PLATFORMS", "cpu");
        Process process;
        try {
            process = builder.start();
        } catch (IOException noPython) {
            Files.delete(script);
            return Optional.empty();
        }
        var answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        var version = answers.readLine();
        if (version == null) {
            process.destroyForcibly();
            Files.delete(script);
            return Optional.empty();
        }
        return Optional.of(new JaxPeer(script, process, version, answers));
    }

    /// @return as `JAX 0.10.2`
    String version() {
        return version;
    }

    /// @param work as `mlp_pipelined`
    /// @param steps how many
    /// @return milliseconds a step
    double measure(String work, int steps) throws IOException {
        ask.write(work + " " + steps + "\n");
        ask.flush();
        var answer = answers.readLine();
        if (answer == null) {
            throw new IOException("JAX ended while it was asked for " + work);
        }
        return Double.parseDouble(answer);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(script);
    }
}
