package org.meshbook.magics.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.PartFailed;

/// `%load`: runs a file as cells.
final class LoadMagic implements Magic {
    private static final List<String> SOURCES = List.of(".jsh", ".jshell", ".java", ".jjava");
    private static final String NOTEBOOK = ".ipynb";

    /// The files that are being loaded, the innermost last.
    private static final ScopedValue<List<Path>> LOADING = ScopedValue.newInstance();

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String group() {
        return "files";
    }

    @Override
    public String help() {
        return """
        Runs a file as if its text stood in this cell.

        %load FILE

        FILE is Java (.java, .jsh, .jshell) or a notebook (.ipynb), whose code cells are run in
        order, to the first that fails; the ending may be left out. Magics in it work. A relative
        path is looked up in the folder of the file that loads it, then in the working folder.
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var words = Words.of(call.arguments());
        if (words.size() != 1) {
            throw new MagicException(
                    "%%load takes one file, found %d: %%load FILE".formatted(words.size()));
        }
        var file = find(words.getFirst());
        var outer = LOADING.isBound() ? LOADING.get() : List.<Path>of();
        if (outer.contains(file)) {
            throw new MagicException(
                    "'%s' loads itself, by %s"
                            .formatted(
                                    file,
                                    String.join(
                                            " → ", outer.stream().map(Path::toString).toList())));
        }
        var all = Stream.concat(outer.stream(), Stream.of(file)).toList();
        return ScopedValue.where(LOADING, all).call(() -> load(file, cell));
    }

    private static Path find(String typed) {
        var places =
                LOADING.isBound()
                        ? Stream.of(
                                LOADING.get().getLast().resolveSibling(typed).normalize(),
                                Paths.of(typed))
                        : Stream.of(Paths.of(typed));
        return places.flatMap(LoadMagic::spellings)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new MagicException(Paths.missing(Paths.of(typed))));
    }

    /// As typed, then with each ending that may have been left out.
    private static Stream<Path> spellings(Path path) {
        return Stream.concat(
                Stream.of(path),
                Stream.concat(SOURCES.stream(), Stream.of(NOTEBOOK))
                        .map(ending -> path.resolveSibling(path.getFileName() + ending)));
    }

    private static @Nullable Object load(Path file, Cell cell) throws Exception {
        var name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(NOTEBOOK)) {
            return notebook(file, cell);
        }
        if (SOURCES.stream().noneMatch(name::endsWith)) {
            throw new MagicException(
                    "'%s' is not loaded: only %s and %s are"
                            .formatted(file, String.join(", ", SOURCES), NOTEBOOK));
        }
        try {
            return cell.run(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new MagicException("cannot read '%s': %s".formatted(file, e.getMessage()));
        } catch (Exception e) {
            throw stopped(e) ? e : new PartFailed("in " + file.getFileName(), e);
        }
    }

    private static @Nullable Object notebook(Path file, Cell cell) throws Exception {
        var cells = NotebookCode.read(file);
        Object last = null;
        for (var each : cells) {
            try {
                last = cell.run(each.source());
            } catch (Exception e) {
                if (stopped(e)) {
                    throw e;
                }
                var where =
                        "cell %d of %d in %s"
                                .formatted(each.number(), cells.size(), file.getFileName());
                if (!each.mayFail()) {
                    throw new PartFailed(where, e);
                }
                cell.err().println(where + " failed, as it may: " + e.getMessage());
            }
        }
        return last;
    }

    private static boolean stopped(Exception e) {
        return e instanceof InterruptedException || Thread.currentThread().isInterrupted();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return Paths.complete(
                Words.at(arguments, cursor),
                Stream.concat(SOURCES.stream(), Stream.of(NOTEBOOK)).toList());
    }
}
