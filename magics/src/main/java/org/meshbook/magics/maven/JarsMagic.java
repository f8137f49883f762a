package org.meshbook.magics.maven;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%jars`, and rapaio's `%jar` and `%%jars`.
///
/// @param name as it is typed
record JarsMagic(String name) implements Magic {
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
        Adds jars from files to the class path.

        %NAME GLOB...
        %%NAME
        GLOB, one or more a line

        GLOB is a jar, a folder (all jars in it), or a pattern with *, ** or ?. The value is the
        list of jars that are new: List<String> added = %NAME lib/*.jar
        """
                .replace("NAME", name);
    }

    @Override
    public Object run(Call call, Cell cell) {
        var words = Words.of(call.arguments(), call.body());
        if (words.isEmpty()) {
            throw new MagicException("%%%s needs files, as %%%s lib/*.jar".formatted(name, name));
        }
        var jars = new ArrayList<Path>();
        for (var word : words) {
            // Kept from rapaio's first releases.
            if (word.equals("/add")) {
                continue;
            }
            jars.addAll(jars(word));
        }
        return Additions.addTo(cell, jars).stream().map(Path::toString).toList();
    }

    private static List<Path> jars(String word) {
        var found = new ArrayList<Path>();
        for (var path : Paths.glob(word)) {
            if (Files.isDirectory(path)) {
                found.addAll(Paths.glob(path + "/*.jar"));
            } else if (path.toString().endsWith(".jar")) {
                found.add(path);
            }
        }
        if (found.isEmpty()) {
            throw new MagicException(
                    "'%s' names no jar; %%classpath adds folders of classes".formatted(word));
        }
        return found;
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return Paths.complete(Words.at(arguments, cursor), List.of(".jar"));
    }
}
