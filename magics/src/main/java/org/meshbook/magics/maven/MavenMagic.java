package org.meshbook.magics.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Coordinates;
import org.meshbook.kernel.maven.Maven;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%maven`, and IJava's other names for it.
///
/// @param name as it is typed
/// @param maven where libraries come from
record MavenMagic(String name, Maven maven) implements Magic {
    private static final List<String> FLAGS = List.of("--exclude", "--offline");

    static List<Magic> all(Maven maven) {
        return Stream.of("maven", "addMavenDependency", "addMavenDependencies")
                .<Magic>map(name -> new MavenMagic(name, maven))
                .toList();
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
        Adds libraries from Maven repositories, with all that they need.

        %NAME COORDINATES... [--exclude GROUP:ARTIFACT]... [--offline]
        %NAME bom GROUP:ARTIFACT:VERSION...
        %%NAME
        COORDINATES, one or more a line; # begins a comment

        COORDINATES are one of
          group:artifact:version                  version may be a range as [1.0,2), LATEST, RELEASE
          group:artifact:extension:version
          group:artifact:extension:classifier:version
          group:artifact:version:classifier@extension
          group:artifact                          after 'bom' has said the versions

        A project of packaging pom adds what it needs; one that only says versions is a BOM.
        --exclude GROUP:ARTIFACT   leaves that out; * stands for any
        --offline                  uses only what was loaded before

        ~/.m2/settings.xml counts: local repository, mirrors, proxies, servers, active profiles. So
        do -Dhttps.proxyHost and HTTPS_PROXY. %mavenRepo adds repositories. The version of a
        library that was loaded first stays until the kernel restarts.
        """
                .replace("NAME", name);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var words = Words.of(call.arguments(), call.body());
        var wanted = new ArrayList<Coordinates>();
        var exclusions = new ArrayList<String>();
        var offline = false;
        var bom = !words.isEmpty() && words.getFirst().equals("bom");
        for (var i = bom ? 1 : 0; i < words.size(); i++) {
            var word = words.get(i);
            if (word.equals("--offline")) {
                offline = true;
            } else if (word.equals("--exclude")) {
                if (++i == words.size()) {
                    throw new MagicException(
                            "--exclude of %%%s needs a value: GROUP:ARTIFACT".formatted(name));
                }
                exclusions.addAll(List.of(words.get(i).split(",")));
            } else if (word.startsWith("--exclude=")) {
                exclusions.addAll(List.of(word.substring("--exclude=".length()).split(",")));
            } else if (word.startsWith("--")) {
                throw new MagicException(
                        "%%%s has no flag %s; it has %s"
                                .formatted(name, word, String.join(", ", FLAGS)));
            } else {
                var coordinates = Coordinates.parse(word);
                wanted.add(bom ? coordinates.withExtension("pom") : coordinates);
            }
        }
        if (wanted.isEmpty()) {
            throw new MagicException(
                    "%%%s needs coordinates, as %%%s org.apache.commons:commons-lang3:3.17.0"
                            .formatted(name, name));
        }
        var wish = new Maven.Wish(wanted, Optional.empty(), exclusions, Maven.RUNTIME, offline);
        var unused = new Additions(maven, cell).add(wish);
        return null;
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var word = Words.at(arguments, cursor);
        if (word.startsWith("-")) {
            return FLAGS.stream().filter(f -> f.startsWith(word)).toList();
        }
        var found = new ArrayList<String>();
        if (Words.before(arguments, cursor) == 0 && !word.isEmpty() && "bom".startsWith(word)) {
            found.add("bom");
        }
        found.addAll(maven.local().complete(word));
        return found;
    }
}
