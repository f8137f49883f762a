package org.meshbook.magics.daily.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.kernel.spi.Workspace.Entry;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Cells as a notebook of format 4.5, without outputs.
final class SavedNotebook {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private SavedNotebook() {}

    static String of(List<Entry> entries) {
        var cells = new ArrayList<Map<String, Object>>();
        for (var entry : entries) {
            var cell = new LinkedHashMap<String, Object>();
            cell.put("cell_type", "code");
            cell.put("id", "cell-%d-%d".formatted(entry.number(), cells.size()));
            cell.put("metadata", Map.of());
            cell.put("execution_count", null);
            cell.put("outputs", List.of());
            cell.put("source", entry.code().strip());
            cells.add(cell);
        }
        var notebook = new LinkedHashMap<String, Object>();
        notebook.put("cells", cells);
        notebook.put(
                "metadata",
                Map.of(
                        "kernelspec",
                        Map.of(
                                "name",
                                "meshbook",
                                "display_name",
                                "Java (Meshbook)",
                                "language",
                                "java"),
                        "language_info",
                        Map.of("name", "java")));
        notebook.put("nbformat", 4);
        notebook.put("nbformat_minor", 5);
        return MAPPER.writeValueAsString(notebook) + "\n";
    }
}
