package org.meshbook.magics.daily;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.cell.CellTask;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Extension;

/// Cells on a real engine with all extensions' magics, and what they put out.
public final class Session implements AutoCloseable {
    private final CellEngine engine;
    private final AtomicInteger number = new AtomicInteger();
    private volatile String answer = "";

    public Session(List<Extension> extensions) {
        engine = CellEngines.open(extensions);
    }

    /// A cell that ran.
    public record Ran(CellOutcome outcome, Recorder output) {
        public String out() {
            return output.out.toString();
        }

        public String err() {
            return output.err.toString();
        }

        public String result() {
            return outcome instanceof CellOutcome.Done(var shown)
                    ? shown.map(d -> String.valueOf(d.bundle().get("text/plain"))).orElse("")
                    : "failed: " + error();
        }

        /// All tables and the like, as text.
        public String shown() {
            return String.join(
                    "\n",
                    output.displays.stream()
                            .map(d -> String.valueOf(d.bundle().get("text/plain")))
                            .toList());
        }

        public String error() {
            return outcome instanceof CellOutcome.Failed failed
                    ? failed.name() + ": " + failed.message()
                    : "";
        }

        public List<String> trace() {
            return outcome instanceof CellOutcome.Failed failed
                    ? failed.trace().stream()
                            .map(l -> l.replaceAll("\u001b\\[[0-9;]*m", ""))
                            .toList()
                    : List.of();
        }
    }

    void answers(String line) {
        answer = line;
    }

    CellEngine engine() {
        return engine;
    }

    public CellTask task(String code, Recorder recorder) {
        return engine.cell(code, number.incrementAndGet(), recorder);
    }

    public Ran run(String code) {
        var recorder = new Recorder();
        return new Ran(task(code, recorder).run(), recorder);
    }

    /// Starts a cell, to be looked at and stopped while it runs.
    public Begun begin(String code) {
        var recorder = new Recorder();
        var ran = new CompletableFuture<Ran>();
        var task = task(code, recorder);
        Thread.ofPlatform().start(() -> ran.complete(new Ran(task.run(), recorder)));
        return new Begun(task, recorder, ran);
    }

    /// A cell that was started.
    public record Begun(CellTask task, Recorder output, CompletableFuture<Ran> ran) {
        public String out() {
            return output.out.toString();
        }

        /// Stops it, as the person's button does.
        public void interrupt() {
            task.interrupt();
        }
    }

    public List<String> complete(String code) {
        return engine.complete(code, code.length()).matches();
    }

    @Override
    public void close() {
        engine.close(false);
    }

    /// Keeps what a cell puts out.
    public final class Recorder implements CellOutput {
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
            if (answer.isEmpty()) {
                throw new IOException("nobody can be asked");
            }
            return answer;
        }
    }
}
