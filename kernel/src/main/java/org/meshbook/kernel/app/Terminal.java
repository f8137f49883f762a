package org.meshbook.kernel.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import org.meshbook.kernel.notebook.Screen;

/// The process' own standard streams, taken before cells get theirs. UTF-8 whatever the locale
/// says: that of a container is often "C", which would turn every line of a table into question
/// marks.
final class Terminal {
    private static final int DEFAULT_COLUMNS = 80;

    private final PrintStream out = stream(FileDescriptor.out);
    private final PrintStream err = stream(FileDescriptor.err);

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    /// @return whether a person sits at it
    boolean person() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    Screen screen() {
        var none = System.getenv().getOrDefault("NO_COLOR", "");
        var dumb = "dumb".equals(System.getenv("TERM"));
        return new Screen(out, person() && none.isEmpty() && !dumb, columns());
    }

    /// Says on one line why something did not work.
    void complain(String message) {
        out.flush();
        err.println("meshbook: " + message);
        err.flush();
    }

    /// Takes back a hook that is no longer needed; while the JVM ends already, that is no error.
    void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            System.getLogger(Terminal.class.getName())
                    .log(System.Logger.Level.DEBUG, "the JVM ends", e);
        }
    }

    private static int columns() {
        try {
            return Integer.parseInt(System.getenv().getOrDefault("COLUMNS", ""));
        } catch (NumberFormatException e) {
            return DEFAULT_COLUMNS;
        }
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, UTF_8);
    }
}
