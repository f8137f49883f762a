package org.meshbook.magics.daily.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Entry;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.daily.files.WriteFileMagic;

/// `%save`.
final class SaveMagic {
    private static final List<String> ENDINGS = List.of(".jsh", ".java", ".ipynb");

    private final List<String> imports;

    private SaveMagic(List<String> imports) {
        this.imports = imports;
    }

    static Magic of(List<String> imports) {
        var save = new SaveMagic(imports);
        return GrammarMagic.line(
                        new Grammar(
                                "%save",
                                List.of("FILE", "CELLS"),
                                List.of(Flag.plain("-f", "replaces a file that is there"))),
                        "session",
                        """
                        Saves the session into a file.

                          %save work.ipynb        the cells, as a notebook
                          %save work.ipynb 3-7    some of them
                          %save work.jsh          what is declared and done now, as snippets
                          %save work.jsh 3-7      cells as they were typed, magics too
                          %save Work.java         a class with a main that does the same

                        What was superseded or failed is left out, but of cells named by number. %load
                        runs each of them again. Magics do not become Java: a .java file has none.
                        """,
                        (given, _, cell) -> save.run(given, cell))
                .completing(
                        (start, _) ->
                                Folder.complete(
                                        start, p -> ENDINGS.contains(ending(p.toString()))));
    }

    private static String ending(String name) {
        var dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot);
    }

    private @Nullable Object run(Given given, Cell cell) {
        var typed =
                given.word(0)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%save needs a file, as in %save work.ipynb"));
        var file = Folder.resolve(typed);
        var ending = ending(typed);
        if (!ENDINGS.contains(ending)) {
            throw new MagicException(
                    "%%save: '%s' ends with none of %s, which say what is saved"
                            .formatted(typed, String.join(", ", ENDINGS)));
        }
        if (Files.exists(file) && !given.has("-f")) {
            throw new MagicException("%%save: %s is there; -f replaces it".formatted(file));
        }
        var past = past(cell);
        var range = given.word(1);
        var cells = range.map(r -> Ranges.of("%save", r, past)).orElse(past);
        var declared = cell.workspace().declarations();
        switch (ending) {
            case ".ipynb" -> write(file, SavedNotebook.of(cells), cells.size() + " cells", cell);
            case ".jsh" ->
                    write(
                            file,
                            range.isPresent() ? texts(cells) : snippets(declared),
                            range.isPresent()
                                    ? cells.size() + " cells"
                                    : declared.size() + " snippets",
                            cell);
            default -> {
                range.ifPresent(
                        r -> {
                            throw new MagicException(
                                    "%save: a .java file holds what is declared now; cells by"
                                            + " number go into .jsh or .ipynb");
                        });
                saveClass(file, declared, cell);
            }
        }
        return null;
    }

    private static List<Entry> past(Cell cell) {
        return cell.workspace().history().stream()
                .filter(e -> e.took().isPresent() && !e.code().isBlank())
                .toList();
    }

    private static String texts(List<Entry> cells) {
        return cells.stream().map(e -> e.code().strip() + "\n").collect(Collectors.joining("\n"));
    }

    private String snippets(List<Declaration> declared) {
        var own = declared.stream().map(Declaration::source).map(s -> s + "\n");
        return Stream.concat(Stream.of(String.join("\n", imports) + "\n"), own)
                .collect(Collectors.joining("\n"));
    }

    private void saveClass(Path file, List<Declaration> declared, Cell cell) {
        var name = file.getFileName().toString().replaceFirst("\\.java$", "");
        if (!SourceVersion.isName(name) || name.contains(".")) {
            throw new MagicException("%%save: '%s' cannot be the name of a class".formatted(name));
        }
        var saved = new SavedClass(name, imports, cell.workspace().variables()).source(declared);
        write(file, saved, declared.size() + " snippets", cell);
        SavedClass.problem(name, saved, cell.workspace().classPath())
                .ifPresent(
                        problem ->
                                cell.err()
                                        .println(
                                                "it does not compile as it is, because "
                                                        + problem));
    }

    private static void write(Path file, String text, String what, Cell cell) {
        try {
            WriteFileMagic.replace(file, text.getBytes(StandardCharsets.UTF_8));
            cell.out().println("saved %s to %s".formatted(what, file));
        } catch (IOException e) {
            throw new MagicException(WriteFileMagic.why("%save", file, e));
        }
    }
}
