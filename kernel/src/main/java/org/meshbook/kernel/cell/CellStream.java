package org.meshbook.kernel.cell;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// A print stream whose stack traces, as `printStackTrace` writes them, name lines of cells and
/// leave out how a cell comes to run.
final class CellStream extends PrintStream {
    private static final String FRAME = "\tat ";

    CellStream(OutputStream out) {
        super(out, true, StandardCharsets.UTF_8);
    }

    /// What `Throwable` calls for each of its lines.
    @Override
    public void println(@Nullable Object line) {
        if (line instanceof String text
                && text.startsWith(FRAME)
                && CurrentScope.find() instanceof RunningCell cell) {
            cell.frame(text.substring(FRAME.length()))
                    .ifPresent(shown -> super.println(FRAME + shown));
        } else {
            super.println(line);
        }
    }
}
