package org.meshbook.kernel.embed;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.MagicException;

/// A session of magics and displays in this process; there is one at a time. Ends with the process,
/// or when it is closed. Thread-safe.
public final class Meshbook implements AutoCloseable {
    /// Failures whose message says all.
    private static final Set<String> OWN_WORDS =
            Set.of("UsageError", "UnknownMagic", "MagicException");

    private static @Nullable Meshbook current;

    private final AtomicInteger number = new AtomicInteger();
    private final CellEngine engine;
    private final ProgramOutput output;
    private final Thread hook;

    private Meshbook(PrintStream out, PrintStream err, BufferedReader in, List<Extension> all) {
        output = new ProgramOutput(out, err, in);
        engine = CellEngines.open(all);
        hook = Thread.ofPlatform().name("meshbook-stop").unstarted(() -> engine.close(false));
    }

    /// Starts the session, or gives the one that runs. From now on `display(..)` prints.
    ///
    /// @return the session
    public static synchronized Meshbook start() {
        var running = current;
        if (running != null) {
            return running;
        }
        var in = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        var extensions =
                ServiceLoader.load(Extension.class, Meshbook.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        var started = new Meshbook(System.out, System.err, in, extensions);
        Runtime.getRuntime().addShutdownHook(started.hook);
        current = started;
        // What is displayed before the first magic belongs to this.
        started.run("");
        return started;
    }

    /// @return whether one runs; then the cells are its own
    static synchronized boolean isStarted() {
        return current != null;
    }

    /// Runs the text of a cell: magics, and Java that shares nothing with the program but its class
    /// path and its process.
    ///
    /// @param cell the text
    /// @throws MagicException if it failed; its message is one line
    public void run(String cell) {
        var outcome = engine.cell(cell, number.incrementAndGet(), output).run();
        switch (outcome) {
            case CellOutcome.Done(var result) -> result.ifPresent(output::display);
            case CellOutcome.Failed(var name, var message, _) ->
                    throw new MagicException(
                            OWN_WORDS.contains(name) ? message : name + ": " + message);
            case CellOutcome.Exit _ -> close();
        }
    }

    /// Stops what [#run] runs, from another thread; no-op if it runs nothing.
    public void interrupt() {
        engine.interrupt();
    }

    /// Ends the session and gives back what it held, as slices.
    @Override
    public void close() {
        synchronized (Meshbook.class) {
            if (current != this) {
                return;
            }
            current = null;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the process ends, and the hook closes
        }
        engine.close(false);
    }

    @Override
    public String toString() {
        return "Meshbook session; Magics.run(\"help\") lists the magics, close() ends it";
    }
}
