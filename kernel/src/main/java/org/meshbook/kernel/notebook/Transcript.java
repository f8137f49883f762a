package org.meshbook.kernel.notebook;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.spi.DisplayData;

/// A run as it reads on a terminal: progress and dim source, then the output as it comes.
///
/// A display that is updated is written over where it stands last; where that cannot be done, its
/// last state is written when the cell ends. Thread-safe: cells print from any thread.
final class Transcript {
    private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

    private final Screen screen;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, String> behind = new LinkedHashMap<>();
    private boolean atLineStart = true;
    private String lastId = "";
    private int lastLines;

    Transcript(Screen screen) {
        this.screen = screen;
    }

    /// Shows text between cells.
    void prose(String markdown) {
        lock.lock();
        try {
            lineStart();
            var heading = false;
            for (var line : markdown.strip().lines().toList()) {
                heading = line.startsWith("#");
                screen.out().println(heading ? screen.bold(line) : line);
            }
            screen.out().println();
            screen.out().flush();
        } finally {
            lock.unlock();
        }
    }

    /// A cell starts.
    void started(int number, int total, String source) {
        lock.lock();
        try {
            lineStart();
            var progress = "[" + number + "/" + total + "] ";
            var margin = screen.bold(progress);
            for (var line : source.stripTrailing().lines().toList()) {
                screen.out().println(margin + screen.dim("\u2502 " + line));
                margin = " ".repeat(progress.length());
            }
            screen.out().flush();
            lastId = "";
        } finally {
            lock.unlock();
        }
    }

    void printed(String text, boolean error) {
        lock.lock();
        try {
            put(screen.colour() && error ? screen.red(text) : text);
        } finally {
            lock.unlock();
        }
    }

    void shown(DisplayData data) {
        lock.lock();
        try {
            var text = look(data);
            lineStart();
            put(text + "\n");
            data.id()
                    .ifPresent(
                            id -> {
                                texts.put(id, text);
                                behind.remove(id);
                                remember(id, text);
                            });
        } finally {
            lock.unlock();
        }
    }

    void updated(DisplayData data) {
        lock.lock();
        try {
            var id = data.id().orElse("");
            var text = look(data);
            if (text.equals(texts.put(id, text))) {
                return;
            }
            if (!id.isEmpty() && id.equals(lastId)) {
                var lines = lastLines;
                put(screen.back(lines) + text + "\n");
                remember(id, text);
            } else {
                behind.put(id, text);
            }
        } finally {
            lock.unlock();
        }
    }

    /// The cell takes its output away: what comes next stands below.
    void cleared() {
        lock.lock();
        try {
            lastId = "";
        } finally {
            lock.unlock();
        }
    }

    void failed(CellOutcome.Failed failed) {
        lock.lock();
        try {
            lineStart();
            var trace =
                    failed.trace().isEmpty()
                            ? failed.name() + ": " + failed.message()
                            : String.join("\n", failed.trace());
            put((screen.colour() ? paintUnlessPainted(trace) : Ansi.strip(trace)) + "\n");
        } finally {
            lock.unlock();
        }
    }

    /// A cell ended.
    void ended(Duration taken) {
        lock.lock();
        try {
            behind.values().forEach(text -> put(text + "\n"));
            behind.clear();
            lineStart();
            if (taken.compareTo(WORTH_SAYING) >= 0) {
                screen.out().println(screen.dim(seconds(taken)));
            }
            screen.out().println();
            screen.out().flush();
            lastId = "";
        } finally {
            lock.unlock();
        }
    }

    /// The run ended.
    void closed(RunReport report) {
        lock.lock();
        try {
            lineStart();
            if (report.ok()) {
                var cells = report.cells().size() == 1 ? " cell in " : " cells in ";
                screen.out()
                        .println(
                                screen.green(
                                        report.cells().size() + cells + seconds(report.taken())));
            }
            screen.out().flush();
        } finally {
            lock.unlock();
        }
    }

    private String look(DisplayData data) {
        var text = Looks.text(data);
        return screen.colour() ? text : Ansi.strip(text);
    }

    private String paintUnlessPainted(String trace) {
        return trace.indexOf('\u001b') >= 0 ? trace : screen.red(trace);
    }

    /// Only lines that certainly do not wrap can be counted.
    private void remember(String id, String text) {
        var fits =
                Ansi.strip(text)
                        .lines()
                        .allMatch(line -> line.length() < screen.columns() && !line.contains("\t"));
        lastId = screen.colour() && fits ? id : "";
        lastLines = (int) text.lines().count();
    }

    private void put(String text) {
        if (text.isEmpty()) {
            return;
        }
        screen.out().print(text);
        screen.out().flush();
        atLineStart =
                Ansi.strip(text).endsWith("\n") || (atLineStart && Ansi.strip(text).isEmpty());
        lastId = "";
    }

    private void lineStart() {
        if (!atLineStart) {
            screen.out().println();
            atLineStart = true;
        }
    }

    private static String seconds(Duration taken) {
        return String.format(Locale.ROOT, "%.1f s", taken.toMillis() / 1000.0);
    }
}
