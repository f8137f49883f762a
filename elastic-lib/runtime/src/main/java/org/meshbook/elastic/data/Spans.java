package org.meshbook.elastic.data;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;

/// A set of numbers as ranges, written `0-95,192-287`; ascending, and no two ranges touch.
///
/// @param spans the ranges
record Spans(List<Span> spans) {
    /// Numbers from `first` to `last`, both included.
    record Span(long first, long last) {
        long count() {
            return last - first + 1;
        }

        @Override
        public String toString() {
            return first == last ? String.valueOf(first) : first + "-" + last;
        }
    }

    Spans {
        spans = List.copyOf(spans);
    }

    static final Spans NONE = new Spans(List.of());

    static Spans of(String text) {
        var spans = new ArrayList<Span>();
        for (var part : text.isEmpty() ? new String[0] : text.split(",")) {
            int dash = part.indexOf('-');
            long first = Long.parseLong(dash < 0 ? part : part.substring(0, dash));
            spans.add(new Span(first, dash < 0 ? first : Long.parseLong(part.substring(dash + 1))));
        }
        return new Spans(spans);
    }

    static Spans range(long first, long end) {
        return first >= end ? NONE : new Spans(List.of(new Span(first, end - 1)));
    }

    long count() {
        return spans.stream().mapToLong(Span::count).sum();
    }

    /// The number after the greatest; 0 if there is none.
    long end() {
        return spans.isEmpty() ? 0 : spans.getLast().last() + 1;
    }

    Spans plus(Spans other) {
        var merged = new ArrayList<Span>();
        int mine = 0;
        int theirs = 0;
        while (mine < spans.size() || theirs < other.spans.size()) {
            boolean first =
                    theirs == other.spans.size()
                            || mine < spans.size()
                                    && spans.get(mine).first() <= other.spans.get(theirs).first();
            var next = first ? spans.get(mine++) : other.spans.get(theirs++);
            if (!merged.isEmpty() && next.first() <= merged.getLast().last() + 1) {
                var before = merged.removeLast();
                merged.add(new Span(before.first(), Math.max(before.last(), next.last())));
            } else {
                merged.add(next);
            }
        }
        return new Spans(merged);
    }

    Spans both(Spans other) {
        var common = new ArrayList<Span>();
        int mine = 0;
        int theirs = 0;
        while (mine < spans.size() && theirs < other.spans.size()) {
            var a = spans.get(mine);
            var b = other.spans.get(theirs);
            long first = Math.max(a.first(), b.first());
            long last = Math.min(a.last(), b.last());
            if (first <= last) {
                common.add(new Span(first, last));
            }
            if (a.last() < b.last()) {
                mine++;
            } else {
                theirs++;
            }
        }
        return new Spans(common);
    }

    /// What is missing below the greatest number.
    Spans gaps() {
        var gaps = new ArrayList<Span>();
        long next = 0;
        for (var span : spans) {
            if (span.first() > next) {
                gaps.add(new Span(next, span.first() - 1));
            }
            next = span.last() + 1;
        }
        return new Spans(gaps);
    }

    @Override
    public String toString() {
        return spans.stream().map(Span::toString).collect(joining(","));
    }
}
