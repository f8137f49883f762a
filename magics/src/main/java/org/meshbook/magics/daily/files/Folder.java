package org.meshbook.magics.daily.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

/// The session's folder, in which magics look up relative paths: the system property `user.dir`,
/// which `%cd` sets. Java itself cannot move: its own relative paths start where the kernel was
/// started.
public final class Folder {
    private static final String PROPERTY = "user.dir";

    private Folder() {}

    /// @return the folder, absolute
    public static Path current() {
        return Path.of(System.getProperty(PROPERTY, "")).toAbsolutePath().normalize();
    }

    static void move(Path folder) {
        System.setProperty(PROPERTY, folder.toString());
    }

    /// @param typed a path; `~` is the home folder
    /// @return it, absolute
    /// @throws MagicException if it is no path
    public static Path resolve(String typed) {
        var home = System.getProperty("user.home", "");
        try {
            var path =
                    typed.equals("~") || typed.startsWith("~/") ? home + typed.substring(1) : typed;
            return current().resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new MagicException("'%s' is no path: %s".formatted(typed, e.getReason()));
        }
    }

    /// @param missing a path that leads nowhere
    /// @return a hint at the nearest entry of a missing path's folder, or nothing
    public static String near(Path missing) {
        var above = missing.getParent();
        if (above == null || !Files.isDirectory(above)) {
            return "";
        }
        try (Stream<Path> entries = Files.list(above)) {
            var names = entries.map(p -> p.getFileName().toString()).sorted().toList();
            return Nearest.hint(missing.getFileName().toString(), names);
        } catch (IOException e) {
            return "";
        }
    }

    /// @param start what is typed of a path
    /// @param wanted which files may be named; folders always
    /// @return what it could become, folders with `/`
    public static List<String> complete(String start, Predicate<Path> wanted) {
        var cut = start.lastIndexOf('/') + 1;
        var above = start.substring(0, cut);
        var name = start.substring(cut);
        try (Stream<Path> entries = Files.list(resolve(above.isEmpty() ? "." : above))) {
            return entries.filter(p -> Files.isDirectory(p) || wanted.test(p))
                    .sorted()
                    .filter(p -> p.getFileName().toString().startsWith(name))
                    .filter(p -> !name.isEmpty() || !p.getFileName().toString().startsWith("."))
                    .map(p -> above + p.getFileName() + (Files.isDirectory(p) ? "/" : ""))
                    .toList();
        } catch (IOException | MagicException e) {
            return List.of();
        }
    }
}
