package org.meshbook.magics.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.xla.Plugin;
import org.meshbook.elastic.engine.xla.PluginProbe;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// Looks at this installation: the start-up cache, and whether each engine computes.
final class InstallationCheck {
    private static final String CACHE = "-XX:AOTCache=";

    private InstallationCheck() {}

    static List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        findings.add(cache());
        Engines.available().forEach(name -> findings.add(engine(name)));
        return findings;
    }

    private static Finding cache() {
        for (var argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (argument.startsWith(CACHE)) {
                var file = Path.of(argument.substring(CACHE.length()));
                try {
                    return Finding.ok(
                            "start-up cache", MachineCheck.size(Files.size(file)) + " in " + file);
                } catch (IOException e) {
                    return Finding.warn("start-up cache", "cannot read " + file, remake());
                }
            }
        }
        return Finding.warn("start-up cache", "not in use; starts take longer", remake());
    }

    private static String remake() {
        return "remove magics/target/*.aot and start again";
    }

    /// Adds two numbers by the engine.
    private static Finding engine(String name) {
        var thing = "engine " + name;
        if (name.equals("xla")) {
            return xla(thing);
        }
        var type = new ArrayType(DType.F32, Shape.of());
        var graph =
                new Graph(
                        "doctor",
                        List.of(type, type),
                        List.of(new Node(new Op.Binary(Op.BinaryKind.ADD), List.of(0, 1), type)),
                        List.of(2));
        long start = System.nanoTime();
        try (var program = Engines.named(name).compile(graph, 1)) {
            double sum = program.run(List.of(scalar(type, 20), scalar(type, 22))).getFirst().get(0);
            long millis = (System.nanoTime() - start) / 1_000_000;
            return sum == 42
                    ? Finding.ok(thing, "loads and adds in " + millis + " ms")
                    : Finding.fail(thing, "20 + 22 gave " + sum, "report this");
        } catch (RuntimeException | LinkageError e) {
            return Finding.fail(
                    thing,
                    "does not load: " + e.getMessage(),
                    "its native library needs a 64-bit Linux, macOS or Windows with glibc");
        }
    }

    /// Tries the plugin in a process of its own.
    private static Finding xla(String thing) {
        try {
            var plugin = Plugin.find();
            if (plugin.isEmpty()) {
                return Finding.ok(thing, "not installed; optional, ./meshbook engine install xla");
            }
            var probe = PluginProbe.run(plugin.get());
            return probe.works()
                    ? Finding.ok(thing, "adds: " + probe.words())
                    : Finding.warn(
                            thing,
                            "does not work: " + probe.refusal(),
                            "install it again by ./meshbook engine install xla; engine 'onnx' is"
                                    + " the default");
        } catch (UsageError e) {
            return Finding.warn(thing, String.valueOf(e.getMessage()), "unset " + Plugin.VARIABLE);
        }
    }

    private static HostArray scalar(ArrayType type, float value) {
        var bytes = ByteBuffer.allocateDirect(Float.BYTES).order(ByteOrder.nativeOrder());
        return HostArray.wrap(type, bytes.putFloat(0, value));
    }
}
