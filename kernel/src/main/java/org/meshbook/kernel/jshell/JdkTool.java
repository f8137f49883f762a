package org.meshbook.kernel.jshell;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jshell.tool.JavaShellToolBuilder;

/// The JDK's own `jshell`, with this process' class path and start-up code.
public final class JdkTool {
    private static final List<String> CLASS_PATH = List.of("--class-path", "-class-path", "-cp");

    private JdkTool() {}

    /// Runs it on this process' streams, until it is left.
    ///
    /// @param arguments its own, as `--feedback concise`; a class path there comes after ours
    /// @param startup snippets, evaluated after its default ones
    /// @param terminal whether lines can be edited
    /// @return its exit status
    /// @throws Exception if it cannot be started
    public static int run(List<String> arguments, List<String> startup, boolean terminal)
            throws Exception {
        var script = Files.createTempFile("meshbook", ".jsh"); // 0600
        try {
            Files.writeString(script, String.join("\n", startup) + "\n");
            return JavaShellToolBuilder.builder()
                    .interactiveTerminal(terminal)
                    .start(command(arguments, script).toArray(String[]::new));
        } finally {
            forget(script);
        }
    }

    private static List<String> command(List<String> arguments, Path script) {
        // As it is, not as cells are compiled against it: the other process runs on it, too.
        var classPath = System.getProperty("java.class.path", "");
        var rest = new ArrayList<String>();
        for (var at = 0; at < arguments.size(); at++) {
            var word = arguments.get(at);
            if (CLASS_PATH.contains(word) && at + 1 < arguments.size()) {
                classPath += File.pathSeparator + arguments.get(++at);
            } else if (word.startsWith("--class-path=")) {
                classPath += File.pathSeparator + word.substring("--class-path=".length());
            } else {
                rest.add(word);
            }
        }
        var command =
                new ArrayList<>(
                        List.of(
                                "--class-path",
                                classPath,
                                // The process that evaluates; what starts others there needs the
                                // class path, too.
                                "-R-XX:+UseSerialGC",
                                "-R--enable-native-access=ALL-UNNAMED",
                                "-R-Djava.class.path=" + classPath,
                                "--startup",
                                "DEFAULT",
                                "--startup",
                                script.toString()));
        command.addAll(rest);
        return command;
    }

    private static void forget(Path script) {
        try {
            Files.deleteIfExists(script);
        } catch (IOException e) {
            System.getLogger(JdkTool.class.getName())
                    .log(System.Logger.Level.DEBUG, "left behind: " + script, e);
        }
    }
}
