package org.meshbook.elastic.data;

import static java.util.stream.Collectors.joining;
import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Locale;

/// An account of the rows that the committed steps used; proves at the end of a run that each was
/// used exactly once.
///
/// A value: `state = new State(..., audit.plus(feed.taken()))`. Saved and restored with the step,
/// it forgets what rolled-back steps used, and counts what is left: a row that comes again is found
/// twice, one that was passed over is missing. A tree of plain values.
///
/// @param source fingerprint of the data
/// @param rows of an epoch
/// @param covered global indices used, dropped or failed, as ranges
/// @param twice global indices used more than once, as ranges
/// @param failed global indices of rows that could not be read, as ranges
/// @param dropped rows left over at ends of epochs
public record Audit(
        String source, long rows, String covered, String twice, String failed, long dropped) {
    private static final int SHOWN = 5;

    static Audit of(String source, long rows) {
        return new Audit(source, rows, "", "", "", 0);
    }

    /// @param taken what a committed step's batch took, see [Feed#taken()]
    /// @return the account with it
    public Audit plus(Taken taken) {
        var used = Spans.NONE;
        if (taken.shards() == 1) {
            used = Spans.range(taken.first(), taken.first() + taken.size());
        } else {
            for (int row = taken.shard(); row < taken.size(); row += taken.shards()) {
                used = used.plus(Spans.range(taken.first() + row, taken.first() + row + 1));
            }
        }
        // what an epoch's end left over is counted by one of the readers
        long left = taken.shard() == 0 ? taken.dropped() : 0;
        used = used.plus(Spans.range(taken.first() - left, taken.first()));
        var bad = Spans.of(failed);
        for (long row : taken.failed()) {
            bad = bad.plus(Spans.range(row, row + 1));
        }
        return joined(used, Spans.NONE, bad, left);
    }

    /// @param other the account of another shard of the same run
    /// @return both together
    public Audit plus(Audit other) {
        require(
                source.equals(other.source),
                "accounts of '%s' and of '%s' cannot be joined; give those of one run",
                source,
                other.source);
        return joined(
                Spans.of(other.covered),
                Spans.of(other.twice),
                Spans.of(failed).plus(Spans.of(other.failed)),
                other.dropped);
    }

    /// @return whether every row up to the last one used was used once, dropped or failed
    public boolean exactlyOnce() {
        return twice.isEmpty() && missing().isEmpty();
    }

    /// @return global indices passed over, as ranges; empty if none
    public String missing() {
        return Spans.of(covered).gaps().toString();
    }

    /// @return several lines: the verdict, the counts, and which rows are missing or came twice
    public String certificate() {
        var all = Spans.of(covered);
        var lost = all.gaps();
        var again = Spans.of(twice);
        var bad = Spans.of(failed);
        long used = all.count() - dropped - bad.count();
        var lines = new ArrayList<String>();
        lines.add(
                "%s: rows 0 to %d (%s) of %s"
                        .formatted(
                                exactlyOnce() ? "exactly once" : "NOT exactly once",
                                Math.max(0, all.end() - 1),
                                epochs(all.end()),
                                source));
        lines.add(line("used", used, ""));
        lines.add(line("dropped", dropped, dropped == 0 ? "" : "left over at ends of epochs"));
        lines.add(line("failed", bad.count(), shown(bad)));
        lines.add(line("missing", lost.count(), shown(lost)));
        lines.add(line("twice", again.count(), shown(again)));
        return String.join("\n", lines);
    }

    private Audit joined(Spans used, Spans repeated, Spans bad, long left) {
        var before = Spans.of(covered);
        return new Audit(
                source,
                rows,
                before.plus(used).toString(),
                Spans.of(twice).plus(repeated).plus(before.both(used)).toString(),
                bad.toString(),
                dropped + left);
    }

    private String epochs(long end) {
        return rows > 0 && end % rows == 0 && end > 0
                ? "%d epoch%s of %d".formatted(end / rows, end == rows ? "" : "s", rows)
                : String.format(Locale.ROOT, "%.2f epochs of %d", (double) end / rows, rows);
    }

    private String shown(Spans spans) {
        var text =
                spans.spans().stream()
                        .limit(SHOWN)
                        .map(span -> "%s (epoch %d)".formatted(span, span.first() / rows))
                        .collect(joining(", "));
        return spans.spans().size() > SHOWN
                ? text + ", and %d ranges more".formatted(spans.spans().size() - SHOWN)
                : text;
    }

    private static String line(String word, long count, String detail) {
        return String.format(Locale.ROOT, "  %-8s %,10d  %s", word, count, detail).stripTrailing();
    }

    @Override
    public String toString() {
        return certificate();
    }
}
