package org.meshbook.kernel.console.line;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReader.Option;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.console.Front;
import org.meshbook.kernel.console.Looks;
import org.meshbook.kernel.history.Entry;
import org.meshbook.kernel.history.HistorySession;

/// A person at a terminal.
public final class TerminalFront implements Front {
    private static final char MASK = '*';
    private static final int REMEMBERED = 1000;

    private final Terminal terminal;
    private final LineReader reader;
    private final LineReader asking;
    private final int colours;
    private volatile Runnable stop = () -> {};

    /// @param terminal whose keys are read; closed with this
    /// @param engine answers questions about what is typed
    /// @param history what the arrow keys find
    /// @param colours how many to use; 0 for none
    TerminalFront(Terminal terminal, CellEngine engine, HistorySession history, int colours) {
        this.terminal = terminal;
        this.colours = colours;
        reader = reader(terminal, engine, colours > 0);
        history.tail(REMEMBERED).stream().map(Entry::source).forEach(reader.getHistory()::add);
        asking =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .variable(LineReader.DISABLE_HISTORY, true)
                        .option(Option.DISABLE_EVENT_EXPANSION, true)
                        .build();
        Keys.bind(reader, engine);
        var unused = terminal.handle(Terminal.Signal.INT, _ -> stop.run());
    }

    /// Takes the process' terminal.
    ///
    /// @param engine answers questions about what is typed
    /// @param history what the arrow keys find
    /// @param environment of the process
    /// @return a front there
    /// @throws IOException if it is none that can be edited in
    public static TerminalFront open(
            CellEngine engine, HistorySession history, Map<String, String> environment)
            throws IOException {
        var terminal =
                TerminalBuilder.builder()
                        .system(true)
                        .provider(TerminalBuilder.PROP_PROVIDER_FFM)
                        .graphemeCluster(false)
                        .env(TerminalFront::environment)
                        .encoding(UTF_8)
                        .nativeSignals(true)
                        .signalHandler(Terminal.SignalHandler.SIG_DFL)
                        .build();
        return new TerminalFront(terminal, engine, history, colours(environment));
    }

    /// JLine asks a terminal for its abilities, waits for the answer, and throws away what was
    /// typed meanwhile. It leaves only this one in peace; nothing else depends on the name.
    private static @Nullable String environment(String name) {
        return name.equals("TERM_PROGRAM") ? "Apple_Terminal" : System.getenv(name);
    }

    /// Source: https://no-color.org, https://github.com/termstandard/colors
    static int colours(Map<String, String> environment) {
        if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
            return 0;
        }
        var more = environment.getOrDefault("COLORTERM", "").toLowerCase(Locale.ROOT);
        if (more.equals("truecolor") || more.equals("24bit")) {
            return Looks.TRUE_COLOUR;
        }
        var type = environment.getOrDefault("TERM", "");
        return type.contains("256") ? 256 : type.equals("dumb") || type.isEmpty() ? 0 : 16;
    }

    private static LineReader reader(Terminal terminal, CellEngine engine, boolean coloured) {
        var builder =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .appName("meshbook")
                        .history(new DefaultHistory())
                        .parser(new Typed(engine))
                        .completer(new Completions(engine))
                        .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P ...: ")
                        .variable(LineReader.INDENTATION, Typed.INDENT)
                        .variable(LineReader.BELL_STYLE, "none")
                        // '!' is Java's.
                        .option(Option.DISABLE_EVENT_EXPANSION, true)
                        .option(Option.HISTORY_IGNORE_SPACE, false)
                        .option(Option.COMPLETE_MATCHER_TYPO, false)
                        .option(Option.BRACKETED_PASTE, true);
        return (coloured ? builder.highlighter(new JavaColours()) : builder).build();
    }

    /// @param action what Ctrl-C does while a cell runs; on a thread of its own
    public void onInterrupt(Runnable action) {
        stop = action;
    }

    @Override
    public @Nullable String read(int number) {
        try {
            return reader.readLine(looks().input("In [" + number + "]: "));
        } catch (UserInterruptException e) {
            return "";
        } catch (EndOfFileException e) {
            return null;
        }
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException, InterruptedException {
        try {
            return password ? asking.readLine(prompt, MASK) : asking.readLine(prompt);
        } catch (UserInterruptException e) {
            stop.run();
            throw new InterruptedException("stopped at the keyboard");
        } catch (EndOfFileException e) {
            throw new IOException("the input has ended", e);
        }
    }

    /// While something is typed, it appears above that.
    @Override
    public void print(String text) {
        if (reader.isReading()) {
            reader.printAbove(AttributedString.fromAnsi(text.stripTrailing()));
            return;
        }
        terminal.writer().print(text);
        terminal.writer().flush();
    }

    @Override
    public void drop() {
        // JLine does it.
    }

    @Override
    public Looks looks() {
        var columns = terminal.getSize().getColumns();
        return new Looks(true, colours, columns > 0 ? columns : 80);
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            System.getLogger(TerminalFront.class.getName())
                    .log(System.Logger.Level.DEBUG, "the terminal was left as it is", e);
        }
    }
}
