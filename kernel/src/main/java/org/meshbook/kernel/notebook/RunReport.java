package org.meshbook.kernel.notebook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// How a run went.
///
/// @param notebook the file
/// @param total code cells in it
/// @param cells those that were run, in order
/// @param taken from the first cell's start to the last one's end
/// @param failure which cell ended the run and why, or empty
public record RunReport(
        Path notebook, int total, List<Ran> cells, Duration taken, Optional<Failed> failure) {
    public RunReport {
        cells = List.copyOf(cells);
    }

    /// A cell that was run.
    ///
    /// @param number among the code cells, from 1
    /// @param ok whether it did what it should
    /// @param taken by it
    /// @param outputs its text
    public record Ran(int number, boolean ok, Duration taken, String outputs) {}

    /// The cell that ended the run.
    ///
    /// @param number among the code cells, from 1
    /// @param name of the failure
    /// @param message of the failure, one line
    public record Failed(int number, String name, String message) {}

    /// @return whether no cell failed
    public boolean ok() {
        return failure.isEmpty();
    }

    /// Writes it as JSON: `notebook`, `ok`, `total`, `milliseconds`, `failed` (a number or null),
    /// `error` (text or null) and for each cell `number`, `ok`, `milliseconds`, `outputs`.
    ///
    /// @param file where to
    /// @throws NotebookUnusable if that is not possible
    public void write(Path file) {
        var json = JsonMapper.shared().createObjectNode();
        json.put("notebook", notebook.toString())
                .put("ok", ok())
                .put("total", total)
                .put("milliseconds", taken.toMillis())
                .put("failed", failure.map(Failed::number).orElse(null))
                .put("error", failure.map(f -> f.name() + ": " + f.message()).orElse(null));
        var array = json.putArray("cells");
        for (var cell : cells) {
            array.addObject()
                    .put("number", cell.number())
                    .put("ok", cell.ok())
                    .put("milliseconds", cell.taken().toMillis())
                    .put("outputs", cell.outputs());
        }
        try {
            var text =
                    JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json);
            Files.writeString(file, text + "\n");
        } catch (IOException e) {
            throw new NotebookUnusable("cannot write '" + file + "': " + Failures.why(e));
        }
    }
}
