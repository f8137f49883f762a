package org.meshbook.kernel.notebook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Names the notebooks that are where one was looked for.
final class Neighbours {
    private static final int NAMED = 6;

    private Neighbours() {}

    static String of(Path file) {
        var folder = file.toAbsolutePath().getParent();
        return folder == null ? "" : in(folder);
    }

    static String in(Path folder) {
        if (!Files.isDirectory(folder)) {
            return "; there is no folder '" + folder + "'";
        }
        List<String> names;
        try (var files = Files.list(folder)) {
            names =
                    files.map(file -> String.valueOf(file.getFileName()))
                            .filter(name -> name.endsWith(".ipynb") && !name.startsWith("."))
                            .sorted()
                            .toList();
        } catch (IOException e) {
            return "";
        }
        if (names.isEmpty()) {
            return "; there are no notebooks in that folder";
        }
        var more = names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "";
        return "; there are "
                + String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                + more;
    }
}
