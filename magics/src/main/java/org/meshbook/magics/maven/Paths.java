package org.meshbook.magics.maven;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

/// Files as they are typed: relative to the working folder, `~` for the home folder, and globs.
final class Paths {
    private static final Pattern WILD = Pattern.compile("[*?\\[{]");

    private Paths() {}

    static Path of(String typed) {
        try {
            var home = System.getProperty("user.home");
            var path =
                    typed.equals("~") || typed.startsWith("~/") ? home + typed.substring(1) : typed;
            return folder().resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new MagicException("'%s' is no path: %s".formatted(typed, e.getReason()));
        }
    }

    /// `%cd` sets the property; the process itself cannot move.
    private static Path folder() {
        return Path.of(System.getProperty("user.dir", "")).toAbsolutePath();
    }

    /// @param typed a path, with `*`, `**`, `?`, `[..]` or `{..}` in any part; one that ends with
    ///   `/` means all files in that folder
    /// @return what it names, sorted
    /// @throws MagicException if it names nothing
    static List<Path> glob(String typed) {
        var pattern = typed.endsWith("/") || typed.endsWith("\\") ? typed + "*" : typed;
        var wild = WILD.matcher(pattern);
        if (!wild.find()) {
            var path = of(pattern);
            if (!Files.exists(path)) {
                throw new MagicException(missing(path));
            }
            return List.of(path);
        }
        int cut = pattern.replace('\\', '/').lastIndexOf('/', wild.start());
        var root = of(pattern.substring(0, cut + 1));
        var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern.substring(cut + 1));
        var depth = pattern.contains("**") ? Integer.MAX_VALUE : parts(pattern.substring(cut + 1));
        if (!Files.isDirectory(root)) {
            throw new MagicException(missing(root));
        }
        try (Stream<Path> all = Files.walk(root, depth)) {
            var found =
                    all.filter(p -> !p.equals(root) && matcher.matches(root.relativize(p)))
                            .sorted()
                            .toList();
            if (found.isEmpty()) {
                throw new MagicException("nothing matches '%s' in %s".formatted(typed, root));
            }
            return found;
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new MagicException("cannot look into %s: %s".formatted(root, e.getMessage()));
        }
    }

    private static int parts(String pattern) {
        return (int) pattern.chars().filter(c -> c == '/').count() + 1;
    }

    /// @return one line that says that it is not there, and what is near
    static String missing(Path path) {
        var folder = path.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return "there is no '%s': its folder is missing".formatted(path);
        }
        try (Stream<Path> entries = Files.list(folder)) {
            var names = entries.map(p -> p.getFileName().toString()).sorted().toList();
            return "there is no '%s'%s"
                    .formatted(path, Nearest.hint(path.getFileName().toString(), names));
        } catch (IOException e) {
            return "there is no '%s'".formatted(path);
        }
    }

    /// @param typed the beginning of a path
    /// @param endings of the files that are wanted
    /// @return paths that it could become, folders with `/`
    static List<String> complete(String typed, List<String> endings) {
        int cut = typed.lastIndexOf('/') + 1;
        var above = typed.substring(0, cut);
        var start = typed.substring(cut);
        var found = new ArrayList<String>();
        try (Stream<Path> entries = Files.list(of(above.isEmpty() ? "." : above))) {
            for (var path : entries.sorted().collect(Collectors.toList())) {
                var name = path.getFileName().toString();
                if (!name.startsWith(start) || (name.startsWith(".") && start.isEmpty())) {
                    continue;
                }
                if (Files.isDirectory(path)) {
                    found.add(above + name + "/");
                } else if (endings.stream().anyMatch(name.toLowerCase(Locale.ROOT)::endsWith)) {
                    found.add(above + name);
                }
            }
        } catch (IOException | MagicException e) {
            return List.of();
        }
        return found;
    }
}
