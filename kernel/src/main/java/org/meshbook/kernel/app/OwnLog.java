package org.meshbook.kernel.app;

import java.io.PrintStream;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/// What the kernel itself logs: to the standard error of its process, where whoever runs the server
/// looks, and never into a cell that happens to run.
final class OwnLog {
    /// Kept: a logger that nobody holds loses its handlers.
    private static final Logger LOGGER = Logger.getLogger("org.meshbook.kernel");

    private OwnLog() {}

    /// @param err of the process, as it was before cells were given theirs
    static void to(PrintStream err) {
        LOGGER.addHandler(
                new StreamHandler(err, new SimpleFormatter()) {
                    @Override
                    public synchronized void publish(LogRecord entry) {
                        super.publish(entry);
                        flush();
                    }
                });
        LOGGER.setUseParentHandlers(false);
    }
}
