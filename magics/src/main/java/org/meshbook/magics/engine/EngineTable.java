package org.meshbook.magics.engine;

import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.xla.Plugin;
import org.meshbook.elastic.engine.xla.PluginProbe;
import org.meshbook.magics.render.Table;

/// The engines of this installation, one a row.
public final class EngineTable {
    /// What is used where nothing is chosen.
    public static final String DEFAULT = "onnx";

    private static final String XLA = "xla";

    private EngineTable() {}

    /// @param chosen the engine that the next slices get
    /// @return name, what it is, where it comes from, what is missing; tries the plugin of `xla`,
    ///   which takes about half a second
    public static Table of(String chosen) {
        var table = Table.of("engine", "is", "from", "found");
        for (var name : Engines.available()) {
            table =
                    table.row(
                            name.equals(chosen) ? name + " *" : name,
                            is(name),
                            from(name),
                            found(name));
        }
        return table;
    }

    private static String is(String name) {
        return switch (name) {
            case "onnx" -> "ONNX Runtime on the CPU";
            case XLA -> "XLA by a PJRT plugin";
            case "reference" -> "an interpreter in Java, slow and plain";
            default -> "";
        };
    }

    private static String from(String name) {
        return switch (name) {
            case XLA -> plugin();
            case "onnx", "reference" -> "Meshbook";
            default -> "the class path";
        };
    }

    private static String plugin() {
        try {
            return Plugin.find().map(p -> p.from() + ": " + p.library()).orElse("-");
        } catch (UsageError e) {
            return Plugin.VARIABLE;
        }
    }

    private static String found(String name) {
        try {
            return name.equals(XLA)
                    ? Plugin.find()
                            .map(EngineTable::tried)
                            .orElse("missing; ./meshbook engine install xla brings it")
                    : "ready";
        } catch (UsageError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String tried(Plugin plugin) {
        var probe = PluginProbe.run(plugin);
        return probe.works() ? "ready: " + probe.words() : "does not work: " + probe.refusal();
    }
}
