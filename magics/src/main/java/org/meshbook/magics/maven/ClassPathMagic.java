package org.meshbook.magics.maven;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;

/// `%classpath`.
record ClassPathMagic() implements Magic {
    @Override
    public String name() {
        return "classpath";
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
        Adds jars and folders of classes to the class path, or lists it.

        %classpath GLOB...
        %classpath

        GLOB is a jar, a folder, or a pattern with *, ** or ?. The value is the list of what is
        new. The property java.class.path is kept in step.
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var words = Words.of(call.arguments(), call.body());
        if (words.isEmpty()) {
            cell.workspace().classPath().forEach(cell.out()::println);
            return null;
        }
        var paths = new ArrayList<Path>();
        words.forEach(word -> paths.addAll(Paths.glob(word)));
        return Additions.addTo(cell, paths).stream().map(Path::toString).toList();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return Paths.complete(Words.at(arguments, cursor), List.of(".jar"));
    }
}
