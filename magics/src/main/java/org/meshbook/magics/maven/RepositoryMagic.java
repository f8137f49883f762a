package org.meshbook.magics.maven;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Maven;
import org.meshbook.kernel.maven.Repository;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%mavenRepo`, and IJava's other name for it.
///
/// @param name as it is typed
/// @param maven whose repositories
record RepositoryMagic(String name, Maven maven) implements Magic {
    static List<Magic> all(Maven maven) {
        return Stream.of("mavenRepo", "addMavenRepo")
                .<Magic>map(name -> new RepositoryMagic(name, maven))
                .toList();
    }

    @Override
    public String group() {
        return "libraries";
    }

    @Override
    public String help() {
        return """
        Adds a Maven repository, or lists those that are asked.

        %NAME ID URL
        %NAME

        The ID selects credentials (<server>) and mirrors of settings.xml. Repositories added here
        are asked first, then those of settings.xml, then Maven Central. URL begins with https:,
        http: or file:.
        """
                .replace("NAME", name);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var words = Words.of(call.arguments());
        switch (words.size()) {
            case 0 -> list(maven, cell);
            case 2 -> maven.add(Repository.of(words.get(0), words.get(1)));
            default ->
                    throw new MagicException(
                            "%%%s takes an id and a URL, found %d words: %%%s ID URL"
                                    .formatted(name, words.size(), name));
        }
        return null;
    }

    static void list(Maven maven, Cell cell) {
        for (var each : maven.repositories()) {
            cell.out()
                    .printf(
                            "%-12s %s (%s)%n",
                            each.id(),
                            each.url(),
                            each.snapshots().enabled()
                                    ? each.releases().enabled()
                                            ? "releases and snapshots"
                                            : "snapshots"
                                    : "releases");
        }
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var word = Words.at(arguments, cursor);
        return switch (Words.before(arguments, cursor)) {
            case 0 ->
                    maven.repositories().stream()
                            .map(Repository::id)
                            .filter(id -> id.startsWith(word))
                            .toList();
            case 1 ->
                    Stream.of("https://", "file:").filter(start -> start.startsWith(word)).toList();
            default -> List.of();
        };
    }
}
