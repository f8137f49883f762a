package org.meshbook.bench.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.meshbook.kernel.spi.MagicException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Finds the kernels to measure.
final class Peers {
    /// What a Python knows of kernels: its own, and those that Jupyter finds.
    private static final String QUESTION =
            """
            import json, sys
            out = {"specs": {}}
            try:
                import ipykernel
                out["ipykernel"] = ipykernel.__version__
            except ImportError:
                pass
            try:
                from jupyter_client.kernelspec import KernelSpecManager
                for name, found in KernelSpecManager().get_all_specs().items():
                    out["specs"][name] = found["spec"]
            except ImportError:
                pass
            print(json.dumps(out))
            """;

    private Peers() {}

    /// @param names kernelspecs to measure beside ours; empty for ipykernel, and JJava if it is
    ///   installed
    /// @param out told what is measured, and what is missing
    /// @return ours first
    static List<Peer> find(List<String> names, PrintStream out)
            throws IOException, InterruptedException {
        var peers = new ArrayList<Peer>(List.of(ours()));
        var python = python();
        if (python.isEmpty()) {
            if (!names.isEmpty()) {
                throw new MagicException(
                        "bench kernel: no Python on the PATH knows the kernels %s; name one by MESHBOOK_PYTHON"
                                .formatted(String.join(", ", names)));
            }
            out.println(
                    "no Python with ipykernel here, so that nothing is compared: pip install"
                            + " ipykernel, and name that Python by MESHBOOK_PYTHON");
            return peers;
        }
        var known = ask(python.get());
        if (names.isEmpty()) {
            out.println("ipykernel %s".formatted(known.path("ipykernel").asString("")));
            peers.add(
                    Peer.python(
                            "ipykernel",
                            List.of(
                                    python.get(),
                                    "-m",
                                    "ipykernel_launcher",
                                    "-f",
                                    "{connection_file}")));
            var java = known.path("specs").path("java");
            if (java.toString().contains("jjava")) {
                peers.add(peer("java", java));
            }
        }
        for (var name : names) {
            var spec = known.path("specs").path(name);
            if (spec.isMissingNode()) {
                throw new MagicException(
                        "bench kernel: no kernel '%s'; Jupyter knows %s"
                                .formatted(
                                        name,
                                        String.join(", ", known.path("specs").propertyNames())));
            }
            peers.add(peer(name, spec));
        }
        return peers;
    }

    private static Peer ours() {
        var launcher = System.getProperty("meshbook.launcher");
        if (launcher == null) {
            throw new MagicException("bench kernel: start it by the launcher, ./meshbook");
        }
        return Peer.java("meshbook", List.of(launcher, "kernel", "{connection_file}"));
    }

    private static Peer peer(String name, JsonNode spec) {
        var command =
                StreamSupport.stream(spec.path("argv").spliterator(), false)
                        .map(word -> word.asString(""))
                        .toList();
        return spec.path("language").asString("").equals("python")
                ? Peer.python(name, command)
                : Peer.java(name, command);
    }

    /// @return the first Python that can be asked
    private static Optional<String> python() throws InterruptedException, IOException {
        var given = System.getenv().getOrDefault("MESHBOOK_PYTHON", "");
        var candidates =
                given.isEmpty()
                        ? Stream.of(
                                        System.getenv()
                                                .getOrDefault("PATH", "")
                                                .split(File.pathSeparator))
                                .flatMap(
                                        folder ->
                                                Stream.of("python3", "python")
                                                        .map(p -> Path.of(folder, p)))
                                .filter(Files::isExecutable)
                                .map(Path::toString)
                                .toList()
                        : List.of(given);
        for (var python : candidates) {
            if (!ask(python).path("ipykernel").isMissingNode()) {
                return Optional.of(python);
            }
        }
        return Optional.empty();
    }

    private static JsonNode ask(String python) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(python, "-c", QUESTION)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor() == 0
                ? JsonMapper.shared().readTree(said)
                : JsonMapper.shared().createObjectNode();
    }
}
