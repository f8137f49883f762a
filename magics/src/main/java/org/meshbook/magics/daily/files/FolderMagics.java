package org.meshbook.magics.daily.files;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;

/// `%cd` and `%pwd`.
final class FolderMagics {
    private FolderMagics() {}

    static Magic pwd() {
        return GrammarMagic.line(
                new Grammar("%pwd", List.of(), List.of()),
                "files",
                "Says in which folder magics look up relative paths.",
                (_, _, cell) -> {
                    cell.out().println(Folder.current());
                    return null;
                });
    }

    static Magic cd() {
        var before = new AtomicReference<Path>(Folder.current());
        return GrammarMagic.line(
                        new Grammar("%cd", List.of("FOLDER"), List.of()),
                        "files",
                        """
                        Changes the folder in which magics look up relative paths.

                          %cd data      into data
                          %cd ..        up
                          %cd -         back to where it was before
                          %cd           to the home folder

                        It holds for %%bash, %sh, %%writefile, %save, %load and the class path, and
                        is the system property user.dir. A Java process cannot move: new File("x")
                        and Path.of("x") start where the kernel was started. Write
                        Path.of(System.getProperty("user.dir"), "x") there.
                        """,
                        (given, _, cell) -> move(given.word(0).orElse("~"), before, cell))
                .completing((start, _) -> Folder.complete(start, _ -> false));
    }

    private static @Nullable Object move(String typed, AtomicReference<Path> before, Cell cell) {
        var from = Folder.current();
        var to = typed.equals("-") ? before.get() : Folder.resolve(typed);
        if (!Files.isDirectory(to)) {
            throw new MagicException(
                    Files.exists(to)
                            ? "%%cd: %s is a file, no folder".formatted(to)
                            : "%%cd: there is no folder %s%s".formatted(to, Folder.near(to)));
        }
        Folder.move(to);
        before.set(from);
        cell.out().println(to);
        return null;
    }
}
