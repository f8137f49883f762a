package org.meshbook.elastic.manager;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// How events and errors say slices, times and sizes.
final class Words {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());
    private static final int NAMED = 8;

    private Words() {}

    static String line(Instant at, String format, Object... facts) {
        return TIME.format(at) + "  " + String.format(Locale.ROOT, format, facts);
    }

    static String list(Collection<Integer> slices) {
        var sorted = new ArrayList<>(new TreeSet<>(slices));
        var shown = sorted.subList(0, Math.min(NAMED, sorted.size()));
        var more = sorted.size() - shown.size();
        return shown.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ""))
                + (more > 0 ? " and " + more + " more)" : ")");
    }

    static String slices(Set<Integer> slices) {
        var list = list(slices);
        return (slices.size() == 1 ? "slice " : "slices ") + list.substring(1, list.length() - 1);
    }

    static String slicesAre(Set<Integer> slices) {
        return slices(slices) + (slices.size() == 1 ? " is" : " are");
    }

    static String answer(Set<Integer> found) {
        return found.isEmpty()
                ? "none answers"
                : found.size() + (found.size() == 1 ? " answers " : " answer ") + list(found);
    }

    static String lastSeen(Map<Integer, Duration> missing) {
        var text =
                missing.entrySet().stream()
                        .limit(NAMED)
                        .map(
                                e ->
                                        "slice %d last seen %s ago"
                                                .formatted(e.getKey(), time(e.getValue())))
                        .collect(Collectors.joining(", "));
        return missing.size() > NAMED ? text + " and " + (missing.size() - NAMED) + " more" : text;
    }

    static String time(Duration time) {
        if (time.toMinutes() >= 1) {
            long seconds = time.toSecondsPart();
            long hours = time.toHours();
            return hours > 0
                    ? hours + "h" + (time.toMinutesPart() > 0 ? time.toMinutesPart() + "m" : "")
                    : time.toMinutes() + "m" + (seconds > 0 ? seconds + "s" : "");
        }
        if (time.compareTo(Duration.ofSeconds(10)) >= 0 || time.toMillisPart() == 0) {
            return time.toSeconds() > 0 ? time.toSeconds() + "s" : small(time);
        }
        return time.toSeconds() > 0
                ? String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0)
                : small(time);
    }

    static String bytes(long bytes) {
        if (bytes < 10_000) {
            return bytes + " B";
        }
        return bytes < 10_000_000
                ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }

    private static String small(Duration time) {
        return time.toMillis() >= 10
                ? time.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
