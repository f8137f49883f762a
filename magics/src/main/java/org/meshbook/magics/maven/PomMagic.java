package org.meshbook.magics.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Maven;
import org.meshbook.kernel.maven.PomText;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%loadFromPOM` and `%%loadFromPOM`.
record PomMagic(Maven maven) implements Magic {
    private static final List<String> SCOPES =
            List.of("compile", "runtime", "provided", "system", "test", "import");
    private static final Set<String> USUAL = Set.of("compile", "runtime", "system");

    @Override
    public String name() {
        return "loadFromPOM";
    }

    @Override
    public Form form() {
        return Form.LINE_AND_CELL;
    }

    @Override
    public String group() {
        return "libraries";
    }

    @Override
    public String help() {
        return """
        Adds the libraries that a Maven project needs.

        %loadFromPOM FILE [SCOPE]...
        %%loadFromPOM [SCOPE]...
        a whole <project>, or any of its parts: <dependencies>, <repositories>,
        <dependencyManagement>, <properties>, <parent>, single <dependency> or <repository>

        SCOPE is compile, runtime, provided, system or test; without one: compile, runtime and
        system. Repositories that the project names are asked first.
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var words = Words.of(call.arguments());
        if (!call.body().isBlank()) {
            pasted(PomText.whole(call.body()), scopes(words), cell);
            return null;
        }
        if (words.isEmpty()) {
            throw new MagicException(
                    "%loadFromPOM needs a file, as %loadFromPOM pom.xml; or write %%loadFromPOM and"
                            + " paste XML below");
        }
        var pom = Paths.of(words.getFirst());
        if (Files.isDirectory(pom)) {
            pom = pom.resolve("pom.xml");
        }
        if (!Files.isRegularFile(pom)) {
            throw new MagicException(Paths.missing(pom));
        }
        load(pom, scopes(words.subList(1, words.size())), cell);
        return null;
    }

    private void pasted(String text, Set<String> scopes, Cell cell)
            throws IOException, InterruptedException {
        var file = Files.createTempFile("pasted", ".pom");
        try {
            Files.writeString(file, text);
            load(file, scopes, cell);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void load(Path pom, Set<String> scopes, Cell cell) throws InterruptedException {
        var wish = new Maven.Wish(List.of(), Optional.of(pom), List.of(), scopes, false);
        var added = new Additions(maven, cell).add(wish);
        if (added.resolved().files().isEmpty()) {
            cell.out()
                    .println(
                            "nothing to add: the project has no dependency of scope "
                                    + String.join(", ", scopes.stream().sorted().toList()));
        }
    }

    private static Set<String> scopes(List<String> words) {
        for (var word : words) {
            if (!SCOPES.contains(word)) {
                throw new MagicException(
                        "'%s' is no scope; there are %s"
                                .formatted(word, String.join(", ", SCOPES)));
            }
        }
        return words.isEmpty() ? USUAL : new LinkedHashSet<>(words);
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var word = Words.at(arguments, cursor);
        if (Words.before(arguments, cursor) == 0) {
            return Paths.complete(word, List.of(".xml", ".pom"));
        }
        return SCOPES.stream().filter(s -> s.startsWith(word)).toList();
    }
}
