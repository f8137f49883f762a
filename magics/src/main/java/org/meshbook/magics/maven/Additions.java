package org.meshbook.magics.maven;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Maven;
import org.meshbook.kernel.maven.Resolved;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;

/// Finds what a cell wants, adds it to the class path and says so, in as few lines as that takes.
final class Additions {
    private static final int MOST_NAMED = 8;

    private final Maven maven;
    private final Cell cell;
    private @Nullable String progress;

    Additions(Maven maven, Cell cell) {
        this.maven = maven;
        this.cell = cell;
    }

    /// @param wish what is wanted
    /// @return paths that are new on the class path
    Added add(Maven.Wish wish) throws InterruptedException {
        var begin = System.nanoTime();
        Resolved resolved;
        try {
            resolved = maven.resolve(wish, this::progress);
        } catch (InterruptedException | RuntimeException e) {
            ended("stopped");
            throw e;
        }
        var seconds = (System.nanoTime() - begin) / 1e9;
        ended(String.format(Locale.ROOT, "done in %.1f s", seconds));
        var addition = maven.fresh(resolved.files(), cell.workspace().classPath());
        var fresh = addTo(cell, addition.jars());
        resolved.notes().forEach(cell.out()::println);
        addition.notes().forEach(cell.out()::println);
        report(resolved, fresh, seconds);
        return new Added(resolved, fresh);
    }

    /// What came of a wish.
    ///
    /// @param resolved what was found
    /// @param paths what of it is new
    record Added(Resolved resolved, List<Path> paths) {}

    /// @param cell whose class path
    /// @param paths jars and folders
    /// @return those that were not there yet
    static List<Path> addTo(Cell cell, List<Path> paths) {
        var before = new LinkedHashSet<>(cell.workspace().classPath());
        var fresh =
                paths.stream()
                        .map(path -> path.toAbsolutePath().normalize())
                        .filter(path -> !before.contains(path))
                        .distinct()
                        .toList();
        if (!fresh.isEmpty()) {
            cell.workspace().addToClassPath(fresh);
        }
        return fresh;
    }

    private void report(Resolved resolved, List<Path> fresh, double seconds) {
        if (resolved.files().isEmpty()) {
            return;
        }
        var names = fresh.stream().map(p -> p.getFileName().toString()).limit(MOST_NAMED).toList();
        var text =
                fresh.isEmpty()
                        ? "nothing to add: all of it is on the class path already"
                        : "added %s%s"
                                .formatted(
                                        String.join(", ", names),
                                        fresh.size() > MOST_NAMED
                                                ? " and %d more"
                                                        .formatted(fresh.size() - MOST_NAMED)
                                                : "");
        cell.out().println(text + downloads(resolved, seconds));
    }

    private static String downloads(Resolved resolved, double seconds) {
        return resolved.downloads() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (loaded %d file%s, %.1f MB, in %.1f s)",
                        resolved.downloads(),
                        resolved.downloads() == 1 ? "" : "s",
                        resolved.downloadedBytes() / 1e6,
                        seconds);
    }

    private void progress(String line) {
        var id = progress;
        if (id == null) {
            id = "maven-" + UUID.randomUUID();
            progress = id;
            cell.display(shown(line, id));
        } else {
            cell.update(shown(line, id));
        }
    }

    private void ended(String line) {
        Optional.ofNullable(progress).ifPresent(id -> cell.update(shown(line, id)));
    }

    private static DisplayData shown(String line, String id) {
        return DisplayData.text(line).withId(id);
    }
}
