package org.meshbook.elastic.engine.xla;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.Interrupted;

/// What a plugin says of itself, and whether it computes: asked in a process of its own, since it
/// might end it.
///
/// @param facts names and values, empty if it cannot work
/// @param refusal why it cannot work, one line; empty if it can
public record PluginProbe(Map<String, String> facts, String refusal) {
    static final String API = "pjrt_api";
    static final String PLATFORM = "platform";
    static final String SUM = "sum";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RIGHT = "42.0";

    public PluginProbe {
        facts = Map.copyOf(facts);
    }

    /// Starts a process that loads a plugin and adds two numbers; takes about half a second.
    ///
    /// @param plugin which
    /// @return what came of it
    public static PluginProbe run(Plugin plugin) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var builder =
                new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-CreateCoredumpOnCrash",
                        "--enable-native-access=ALL-UNNAMED",
                        ProbeMain.class.getName());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put(Plugin.VARIABLE, plugin.library().toString());
        try {
            var process = builder.redirectErrorStream(true).start();
            process.getOutputStream().close();
            // Its few lines fit the pipe, so that reading may wait for the end.
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return refused("it says nothing for " + PATIENCE.toSeconds() + " s");
            }
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.exitValue() == 0 ? told(said) : refused(said, process.exitValue());
        } catch (IOException e) {
            return refused("no process can be started: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new Interrupted("trying the plugin of engine 'xla'", e);
        }
    }

    private static PluginProbe told(String said) {
        var facts = new TreeMap<String, String>();
        said.lines()
                .map(line -> line.split("=", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> facts.put(parts[0], parts[1]));
        var sum = facts.getOrDefault(SUM, "nothing");
        return sum.equals(RIGHT)
                ? new PluginProbe(facts, "")
                : refused("it makes " + sum + " of 20 + 22");
    }

    private static PluginProbe refused(String said, int code) {
        var last = said.lines().filter(line -> !line.isBlank()).reduce((_, line) -> line);
        return refused(
                code == 1 ? last.orElse("it says nothing") : "its process ended with " + code);
    }

    private static PluginProbe refused(String why) {
        return new PluginProbe(Map.of(), why);
    }

    /// @return whether it computes
    public boolean works() {
        return refusal.isEmpty();
    }

    /// @return as `PJRT 0.115, StableHLO 1.20.0, on cpu`; empty if it does not work
    public String words() {
        return works()
                ? "PJRT %s, StableHLO %s, on %s"
                        .formatted(
                                facts.get(API),
                                Optional.ofNullable(facts.get("stablehlo_current_version"))
                                        .orElse("unknown"),
                                facts.get(PLATFORM))
                : "";
    }
}
