package org.meshbook.elastic.head;

/// The end of what a process printed. Thread-safe.
final class LastWords {
    private final int limit;
    private String tail = "";

    LastWords(int limit) {
        this.limit = limit;
    }

    synchronized void add(String text) {
        var all = tail + text;
        tail = all.substring(Math.max(0, all.length() - limit));
    }

    /// @return the last line that is not blank; empty if there is none
    synchronized String line() {
        return tail.lines()
                .filter(line -> !line.isBlank())
                .reduce("", (first, second) -> second)
                .strip();
    }
}
