package org.meshbook.magics.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meshbook.kernel.spi.MagicException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A code cell of a notebook file.
///
/// @param number among the code cells, from 1
/// @param source its text
/// @param mayFail whether it is tagged `raises-exception`
record NotebookCode(int number, String source, boolean mayFail) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// @param file a notebook of nbformat 3 or 4
    /// @return its code cells that are to be run
    /// @throws MagicException if it is none, or one of another language
    static List<NotebookCode> read(Path file) {
        JsonNode root;
        try {
            root = JSON.readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new MagicException("cannot read '%s': %s".formatted(file, e.getMessage()));
        } catch (JacksonException e) {
            throw new MagicException(
                    "'%s' is no notebook: broken JSON at line %d"
                            .formatted(
                                    file,
                                    e.getLocation() == null ? 0 : e.getLocation().getLineNr()));
        }
        var cells = root.path("cells");
        if (!cells.isArray()) {
            cells = root.path("worksheets").path(0).path("cells");
        }
        if (!cells.isArray()) {
            throw new MagicException("'%s' is no notebook: it has no cells".formatted(file));
        }
        checkLanguage(file, root.path("metadata"));
        return codes(cells);
    }

    private static void checkLanguage(Path file, JsonNode metadata) {
        var language =
                metadata.path("kernelspec")
                        .path("language")
                        .asString(metadata.path("language_info").path("name").asString("java"));
        if (!language.toLowerCase(Locale.ROOT).contains("java")) {
            throw new MagicException(
                    "'%s' is a notebook in %s; only Java can be loaded".formatted(file, language));
        }
    }

    private static List<NotebookCode> codes(JsonNode cells) {
        var found = new ArrayList<NotebookCode>();
        var number = 0;
        for (var cell : cells) {
            if (!cell.path("cell_type").asString("").equals("code")) {
                continue;
            }
            number++;
            var tags = new ArrayList<String>();
            cell.path("metadata").path("tags").forEach(tag -> tags.add(tag.asString("")));
            var source = text(cell.has("source") ? cell.path("source") : cell.path("input"));
            if (!tags.contains("skip-execution") && !source.isBlank()) {
                found.add(new NotebookCode(number, source, tags.contains("raises-exception")));
            }
        }
        return found;
    }

    private static String text(JsonNode node) {
        if (node.isString()) {
            return node.asString();
        }
        var text = new StringBuilder();
        node.forEach(line -> text.append(line.asString("")));
        return text.toString();
    }
}
