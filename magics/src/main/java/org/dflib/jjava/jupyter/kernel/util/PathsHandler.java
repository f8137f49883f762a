package org.dflib.jjava.jupyter.kernel.util;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.meshbook.magics.compat.Bridge;

/// Lists of paths as one text, parted as this system does.
public class PathsHandler {
    public static String joinStringPaths(List<String> paths) {
        return String.join(File.pathSeparator, paths);
    }

    public static String joinPaths(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    public static List<String> split(String paths) {
        return Arrays.stream(paths.split(File.pathSeparator))
                .map(String::strip)
                .filter(path -> !path.isEmpty())
                .toList();
    }

    public static List<Path> splitAndResolveGlobs(String paths) {
        return split(paths).stream().flatMap(path -> resolveGlobs(path).stream()).toList();
    }

    /// @param glob a path, maybe with `*` or `?`
    /// @return what it names, absolute; nothing if there is no such thing
    public static List<Path> resolveGlobs(String glob) {
        return Bridge.glob(glob);
    }
}
