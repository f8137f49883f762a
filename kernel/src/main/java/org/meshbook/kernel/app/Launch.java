package org.meshbook.kernel.app;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What starts this program again.
final class Launch {
    private Launch() {}

    /// @return the launcher's script, or this Java with this class path if there was none
    static List<String> command() {
        var launcher =
                Optional.ofNullable(System.getProperty("meshbook.launcher"))
                        .or(() -> Optional.ofNullable(System.getenv("MESHBOOK_LAUNCHER")));
        if (launcher.isPresent()) {
            return List.of(Path.of(launcher.get()).toAbsolutePath().toString());
        }
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var options = List.of(java, "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
        var path = absolute(System.getProperty("java.class.path"));
        var jar = !path.contains(File.pathSeparator) && path.endsWith(".jar");
        var start = jar ? List.of("-jar", path) : List.of("-cp", path, Main.class.getName());
        return Stream.concat(options.stream(), start.stream()).toList();
    }

    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                Arrays.stream(classPath.split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }
}
