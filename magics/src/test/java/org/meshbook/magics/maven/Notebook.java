package org.meshbook.magics.maven;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.cell.CellTask;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Extension;

/// Cells on a real engine, with what they put out.
public final class Notebook implements AutoCloseable {
    private final CellEngine engine;
    private final AtomicInteger number = new AtomicInteger();

    public Notebook(Extension... extensions) {
        engine = CellEngines.open(List.of(extensions));
    }

    /// A cell that ran.
    ///
    /// @param outcome how it ended
    /// @param out its stdout
    /// @param err its stderr
    /// @param displays what it showed and updated, in order
    public record Ran(CellOutcome outcome, String out, String err, List<DisplayData> displays) {
        /// @return its result as text, or `failed: ` and why
        public String result() {
            return switch (outcome) {
                case CellOutcome.Done(var shown) ->
                        shown.map(d -> String.valueOf(d.bundle().get("text/plain"))).orElse("");
                case CellOutcome.Failed failed -> "failed: " + error(failed);
                case CellOutcome.Exit _ -> "exit";
            };
        }

        public String error() {
            return outcome instanceof CellOutcome.Failed failed ? error(failed) : "";
        }

        private static String error(CellOutcome.Failed failed) {
            return failed.name() + ": " + failed.message();
        }

        public List<String> trace() {
            return outcome instanceof CellOutcome.Failed failed
                    ? failed.trace().stream()
                            .map(l -> l.replaceAll("\u001b\\[[0-9;]*m", ""))
                            .toList()
                    : List.of();
        }
    }

    CellEngine engine() {
        return engine;
    }

    CellTask task(String code, Recorder recorder) {
        return engine.cell(code, number.incrementAndGet(), recorder);
    }

    public Ran run(String code) {
        var recorder = new Recorder();
        var outcome = task(code, recorder).run();
        return new Ran(outcome, "" + recorder.out, "" + recorder.err, recorder.displays);
    }

    List<String> complete(String code) {
        return engine.complete(code, code.length()).matches();
    }

    @Override
    public void close() {
        engine.close(false);
    }

    /// Keeps what a cell puts out.
    static final class Recorder implements CellOutput {
        final StringBuffer out = new StringBuffer();
        final StringBuffer err = new StringBuffer();
        final List<DisplayData> displays = new CopyOnWriteArrayList<>();

        @Override
        public void write(Stream stream, String text) {
            switch (stream) {
                case STDOUT -> out.append(text);
                case STDERR -> err.append(text);
            }
        }

        @Override
        public void display(DisplayData data) {
            displays.add(data);
        }

        @Override
        public void update(DisplayData data) {
            displays.add(data);
        }

        @Override
        public void clear(boolean wait) {
            displays.clear();
        }

        @Override
        public String ask(String prompt, boolean password) throws IOException {
            throw new IOException("nobody can be asked");
        }
    }
}
