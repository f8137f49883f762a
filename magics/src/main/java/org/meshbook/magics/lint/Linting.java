package org.meshbook.magics.lint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.Fixer;
import org.meshbook.cluster.lint.Linter;
import org.meshbook.cluster.lint.output.JsonReport;
import org.meshbook.cluster.lint.output.SarifReport;
import org.meshbook.cluster.lint.output.TextReport;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Severity;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Text;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.daily.files.WriteFileMagic;

/// One run of the linter.
///
/// @param given what was asked for
/// @param kueue the release that the manifests are for
/// @param findings what was found; after `--fix` what is left
/// @param notes what was written, a line each
public record Linting(Given given, Profile kueue, List<Finding> findings, List<String> notes) {
    private static final long LIMIT_BYTES = 20_000_000;
    private static final String MANIFESTS = "*.{yaml,yml,json}";
    private static final String TEXTS = "*.{md,txt}";

    /// @param command as it is typed, `lint` or `%lint`
    /// @return what may stand behind it
    public static Grammar grammar(String command) {
        return new Grammar(
                command,
                List.of("FILE..."),
                List.of(
                        new Flag("--kueue", "VERSION", "0.14, 0.17 or 0.19 (0.17)"),
                        Flag.plain("--document", "finds manifests, commands and output in texts"),
                        Flag.plain("--fix", "writes what a machine can fix back to the files"),
                        Flag.plain("--json", "one JSON object instead of text"),
                        Flag.plain("--sarif", "SARIF 2.1.0, for editors and code hosts")));
    }

    /// @param given names files or folders
    /// @return what was found in them
    /// @throws MagicException if one of them cannot be read
    public static Linting ofFiles(Given given) {
        if (given.words().isEmpty()) {
            throw new MagicException(
                    "%s needs a file; usage: %s"
                            .formatted(
                                    given.grammar().command(),
                                    given.grammar().usage().lines().findFirst().orElse("")));
        }
        var kueue = kueue(given);
        var texts = new ArrayList<Text>();
        for (var word : given.words()) {
            for (var file : files(given, word)) {
                texts.add(new Text(file, read(given, file)));
            }
        }
        return given.has("--fix") ? fixed(given, texts, kueue) : found(given, texts, kueue);
    }

    private static Linting found(Given given, List<Text> texts, Profile kueue) {
        var findings =
                given.has("--document")
                        ? Linter.lintDocuments(texts, kueue)
                        : Linter.lint(sources(texts), kueue);
        return new Linting(given, kueue, findings, List.of());
    }

    private static List<Source> sources(List<Text> texts) {
        return texts.stream().map(t -> Source.read(t.name(), t.text())).toList();
    }

    private static Linting fixed(Given given, List<Text> texts, Profile kueue) {
        if (given.has("--document")) {
            throw new MagicException(
                    "%s: --fix writes manifests, not documents; save the manifest to a file first"
                            .formatted(given.grammar().command()));
        }
        var sources = sources(texts);
        var fixed = Fixer.fix(sources, kueue);
        var notes = new ArrayList<String>();
        for (int i = 0; i < fixed.size(); i++) {
            if (!fixed.get(i).text().equals(sources.get(i).text())) {
                write(given, fixed.get(i));
                notes.add("fixed " + fixed.get(i).name());
            }
        }
        return new Linting(given, kueue, Linter.lint(fixed, kueue), notes);
    }

    /// @param given how to look at it
    /// @param name what to call it
    /// @param text a manifest
    /// @return what was found in it
    public static Linting ofText(Given given, String name, String text) {
        var kueue = kueue(given);
        var texts = List.of(new Text(name, text));
        if (!given.has("--fix")) {
            return found(given, texts, kueue);
        }
        var fixed = Fixer.fix(sources(texts), kueue);
        return new Linting(
                given, kueue, Linter.lint(fixed, kueue), List.of(fixed.getFirst().text()));
    }

    /// @param colours whether the reader is a terminal
    /// @return the report, in the form that was asked for
    public String report(boolean colours) {
        if (given.has("--json")) {
            return JsonReport.write(findings, kueue);
        }
        return given.has("--sarif")
                ? SarifReport.write(findings)
                : new TextReport(colours).write(findings);
    }

    /// @return whether the report is for programs
    public boolean forPrograms() {
        return given.has("--json") || given.has("--sarif");
    }

    /// @return 0 if nothing is worse than a note, else 1
    public int status() {
        return findings.stream().allMatch(f -> f.severity() == Severity.INFO) ? 0 : 1;
    }

    private static Profile kueue(Given given) {
        var typed = given.text("--kueue").orElse(Profile.V0_17.text());
        var known = Arrays.stream(Profile.values()).map(Profile::text).toList();
        return Arrays.stream(Profile.values())
                .filter(p -> p.text().equals(typed))
                .findFirst()
                .orElseThrow(
                        () ->
                                new MagicException(
                                        "%s: no Kueue '%s'; there are %s%s"
                                                .formatted(
                                                        given.grammar().command(),
                                                        typed,
                                                        String.join(", ", known),
                                                        Nearest.hint(typed, known))));
    }

    /// A folder stands for the manifests or texts in it.
    private static List<String> files(Given given, String word) {
        var path = Folder.resolve(word);
        if (!Files.isDirectory(path)) {
            return List.of(word);
        }
        var found = new ArrayList<String>();
        var wanted = given.has("--document") ? TEXTS : MANIFESTS;
        try (var entries = Files.newDirectoryStream(path, wanted)) {
            entries.forEach(e -> found.add(Path.of(word).resolve(e.getFileName()).toString()));
        } catch (IOException e) {
            throw failed(given, word, e);
        }
        if (found.isEmpty()) {
            throw new MagicException(
                    "%s: no file %s in the folder %s"
                            .formatted(given.grammar().command(), wanted, word));
        }
        return found.stream().sorted().toList();
    }

    private static String read(Given given, String file) {
        var path = Folder.resolve(file);
        try {
            if (Files.isRegularFile(path) && Files.size(path) > LIMIT_BYTES) {
                throw new MagicException(
                        "%s: %s has %,d bytes; manifests of up to %,d bytes are read"
                                .formatted(
                                        given.grammar().command(),
                                        file,
                                        Files.size(path),
                                        LIMIT_BYTES));
            }
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failed(given, file, e);
        }
    }

    private static void write(Given given, Source source) {
        try {
            WriteFileMagic.replace(
                    Folder.resolve(source.name()), source.text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw failed(given, source.name(), e);
        }
    }

    private static MagicException failed(Given given, String file, IOException e) {
        var path = Folder.resolve(file);
        return new MagicException(
                Files.exists(path)
                        ? "%s: %s: %s"
                                .formatted(
                                        given.grammar().command(),
                                        file,
                                        String.valueOf(e.getMessage()))
                        : "%s: there is no file %s%s"
                                .formatted(given.grammar().command(), file, Folder.near(path)));
    }
}
