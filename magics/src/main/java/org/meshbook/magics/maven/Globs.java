package org.meshbook.magics.maven;

import java.nio.file.Path;
import java.util.List;

/// How the magics of this room read paths and words, for others.
public final class Globs {
    private Globs() {}

    /// @param pattern a path, maybe with `*`, `**` or `?`
    /// @return what it names, sorted
    /// @throws org.meshbook.kernel.spi.MagicException if it names nothing
    public static List<Path> find(String pattern) {
        return Paths.glob(pattern);
    }

    /// @param line a line
    /// @return its words; quotes keep blanks
    public static List<String> words(String line) {
        return Words.of(line);
    }
}
