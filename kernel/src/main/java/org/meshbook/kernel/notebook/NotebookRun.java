package org.meshbook.kernel.notebook;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellOutcome;

/// Runs a notebook's code cells in order, to the first that fails.
///
/// A cell tagged `raises-exception` may fail; one tagged `skip-execution` is not run (both words
/// are nbclient's). Not thread-safe; [CellEngine#interrupt] from another thread ends the run.
public final class NotebookRun {
    private final Path file;
    private final Notebook notebook;
    private final CellEngine engine;
    private final Transcript transcript;
    private final InstantSource clock;
    private final Displays displays = new Displays();

    /// @param file where the notebook came from
    /// @param notebook what to run; afterwards it holds the outputs
    /// @param engine runs the cells; not closed here
    /// @param screen shows them
    /// @param clock tells the time
    public NotebookRun(
            Path file, Notebook notebook, CellEngine engine, Screen screen, InstantSource clock) {
        this.file = file;
        this.notebook = notebook;
        this.engine = engine;
        this.transcript = new Transcript(screen);
        this.clock = clock;
    }

    /// Runs it.
    ///
    /// @return how it went
    public RunReport run() {
        notebook.clearOutputs();
        var total = (int) notebook.cells().stream().filter(NotebookCell::runs).count();
        var begin = clock.instant();
        var played = new ArrayList<Played>();
        for (var cell : notebook.cells()) {
            if (cell.kind() == NotebookCell.Kind.MARKDOWN) {
                transcript.prose(cell.source());
            } else if (cell.runs()) {
                played.add(play(cell, played.size() + 1, total));
                if (played.getLast().last()) {
                    break;
                }
            }
        }
        // Only now: outputs may have grown or been replaced after their cell's end.
        played.forEach(one -> notebook.fill(one.cell, one.number, one.recording.nodes()));
        var taken = Duration.between(begin, clock.instant());
        var ran = played.stream().map(Played::ran).toList();
        var failure =
                played.isEmpty() ? Optional.<RunReport.Failed>empty() : played.getLast().failure();
        var report = new RunReport(file, total, ran, taken, failure);
        transcript.closed(report);
        return report;
    }

    private Played play(NotebookCell cell, int number, int total) {
        transcript.started(number, total, cell.source());
        var recording = new Recording(displays, transcript);
        var start = clock.instant();
        var outcome = engine.cell(cell.source(), number, recording).run();
        recording.ended(outcome, number);
        var taken = Duration.between(start, clock.instant());
        transcript.ended(taken);
        return new Played(cell, number, recording, outcome, taken);
    }

    /// A cell after its run.
    private record Played(
            NotebookCell cell,
            int number,
            Recording recording,
            CellOutcome outcome,
            Duration taken) {
        Optional<RunReport.Failed> failure() {
            return outcome instanceof CellOutcome.Failed(var name, var message, _)
                            && !cell.mayFail()
                    ? Optional.of(new RunReport.Failed(number, name, message))
                    : Optional.empty();
        }

        boolean last() {
            return failure().isPresent() || outcome instanceof CellOutcome.Exit;
        }

        RunReport.Ran ran() {
            return new RunReport.Ran(number, failure().isEmpty(), taken, recording.text());
        }
    }
}
