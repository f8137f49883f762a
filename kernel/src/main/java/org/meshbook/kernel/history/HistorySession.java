package org.meshbook.kernel.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// Cells of one session, and the view from it on those of all others. Thread-safe.
public final class HistorySession {
    private static final int ALONE = 1;

    private final History history;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entry> own = new ArrayList<>();
    // Written by the history's thread before it writes anything else of this session.
    private volatile int number;

    HistorySession(History history) {
        this.history = history;
    }

    /// @param line execution count of a cell that starts
    /// @param source its text
    public void add(int line, String source) {
        put(new Entry(0, line, source, Optional.empty()));
        history.write(
                file -> {
                    if (number == 0) {
                        number = file.begin();
                    }
                    file.add(number, line, source);
                });
    }

    /// @param line of a cell that was added
    /// @param text plain text of its result
    public void output(int line, String text) {
        lock.lock();
        try {
            own.replaceAll(
                    entry ->
                            entry.line() == line
                                    ? new Entry(0, line, entry.source(), Optional.of(text))
                                    : entry);
        } finally {
            lock.unlock();
        }
        history.write(file -> file.output(number, line, text));
    }

    /// @param count how many; below 1 for none
    /// @return the last cells of all sessions, oldest first, those of this one last
    public List<Entry> tail(int count) {
        return last(all(), count);
    }

    /// @param session 0 for this one, negative for so many before it, else a number
    /// @param start first line
    /// @param stop line after the last one; empty for all that follow
    /// @return cells of one session, oldest first
    public List<Entry> range(int session, int start, OptionalInt stop) {
        var all = all();
        var here = here();
        var wanted = session <= 0 ? here + session : session;
        return filter(
                all,
                entry ->
                        entry.session() == wanted
                                && entry.line() >= start
                                && entry.line() < stop.orElse(Integer.MAX_VALUE));
    }

    /// @param glob over the whole text: `*` any text, `?` any character, `[..]` one of these
    /// @param count how many of the last ones; empty for all
    /// @param unique whether of equal texts only the last is given
    /// @return cells of all sessions, oldest first, those of this one last
    public List<Entry> search(String glob, OptionalInt count, boolean unique) {
        var pattern = Glob.compile(glob);
        var found = filter(all(), entry -> pattern.matcher(entry.source()).matches());
        return last(unique ? latestOfEach(found) : found, count.orElse(found.size()));
    }

    private void put(Entry entry) {
        lock.lock();
        try {
            own.add(entry);
        } finally {
            lock.unlock();
        }
    }

    private List<Entry> all() {
        history.settle();
        var here = here();
        var all = new ArrayList<>(filter(history.read(), entry -> entry.session() != here));
        lock.lock();
        try {
            for (var entry : own) {
                all.add(new Entry(here, entry.line(), entry.source(), entry.output()));
            }
        } finally {
            lock.unlock();
        }
        return all;
    }

    /// @return this session's number, or what it would be
    private int here() {
        if (number != 0) {
            return number;
        }
        return history.keeps()
                ? history.read().stream().mapToInt(Entry::session).max().orElse(0) + 1
                : ALONE;
    }

    private static List<Entry> filter(List<Entry> entries, Predicate<Entry> wanted) {
        return entries.stream().filter(wanted).toList();
    }

    private static List<Entry> last(List<Entry> all, int count) {
        return all.subList(Math.max(0, all.size() - Math.max(0, count)), all.size());
    }

    private static List<Entry> latestOfEach(List<Entry> found) {
        var latest = new LinkedHashMap<String, Entry>();
        for (var entry : found) {
            latest.remove(entry.source());
            latest.put(entry.source(), entry);
        }
        return List.copyOf(latest.values());
    }
}
