package org.meshbook.kernel.cell;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.meshbook.kernel.cell.CellOutcome.Done;
import org.meshbook.kernel.cell.CellOutcome.Exit;
import org.meshbook.kernel.cell.CellOutcome.Failed;
import org.meshbook.kernel.spi.Extension;

/// Runs cells one after another on one engine.
final class Cells implements AutoCloseable {
    private final CellEngine engine;
    private final AtomicInteger number = new AtomicInteger();

    Cells(Extension... extensions) {
        engine = CellEngines.open(List.of(extensions));
    }

    CellEngine engine() {
        return engine;
    }

    /// One cell that ran.
    record Ran(CellOutcome outcome, Recorded output) {
        String result() {
            return switch (outcome) {
                case Done(var shown) ->
                        shown.map(d -> String.valueOf(d.bundle().get("text/plain"))).orElse("");
                case Failed failed -> "failed: " + error(failed);
                case Exit _ -> "exit";
            };
        }

        String error() {
            return outcome instanceof Failed failed ? error(failed) : "";
        }

        private static String error(Failed failed) {
            return (failed.name()
                            + ": "
                            + failed.message()
                            + "\n"
                            + String.join("\n", failed.trace()))
                    .replaceAll("\u001b\\[[0-9;]*m", "");
        }

        boolean ok() {
            return outcome instanceof Done;
        }
    }

    Ran run(String code) {
        return run(code, new Recorded());
    }

    Ran run(String code, Recorded output) {
        return new Ran(engine.cell(code, number.incrementAndGet(), output).run(), output);
    }

    @Override
    public void close() {
        engine.close(false);
    }
}
