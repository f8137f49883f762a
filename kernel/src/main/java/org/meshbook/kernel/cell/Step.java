package org.meshbook.kernel.cell;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.kernel.jshell.Origin;
import org.meshbook.kernel.jshell.Statements;

/// What is run at once of a cell.
sealed interface Step {
    /// A magic.
    record Command(Segment.Magic magic) implements Step {}

    /// One snippet of Java.
    record Snippet(String source, Origin origin) implements Step {
        private int end() {
            return origin.offset() + source.length();
        }
    }

    /// Statements that follow one another, as one: javac then runs for all of them at once. If they
    /// do not compile as one they are run one after the other.
    record Block(String source, Origin origin, List<Snippet> parts) implements Step {
        private static final int MOST_PARTS = 200;
        private static final int MOST_TEXT = 20_000;

        private static Step of(List<Snippet> parts) {
            if (parts.size() == 1) {
                return parts.getFirst();
            }
            var origin = parts.getFirst().origin();
            var end = Math.min(parts.getLast().end(), origin.code().length());
            var text = origin.code().substring(origin.offset(), end);
            return new Block("{" + text + "\n}", origin.shifted(-1), List.copyOf(parts));
        }

        private static boolean takes(List<Snippet> parts, Snippet next) {
            return parts.size() < MOST_PARTS
                    && next.end() - parts.getFirst().origin().offset() < MOST_TEXT;
        }
    }

    /// @param snippets of one stretch of Java
    /// @param last whether the cell ends with them, so that the value of the last is shown
    static List<Step> grouped(List<Snippet> snippets, boolean last) {
        var steps = new ArrayList<Step>();
        var open = new ArrayList<Snippet>();
        for (var snippet : snippets) {
            var shown = last && snippet == snippets.getLast();
            var joins =
                    shown
                            ? Statements.isControl(snippet.source())
                            : Statements.is(snippet.source());
            if (!open.isEmpty() && (!joins || !Block.takes(open, snippet))) {
                steps.add(Block.of(open));
                open.clear();
            }
            if (joins) {
                open.add(snippet);
            } else {
                steps.add(snippet);
            }
        }
        if (!open.isEmpty()) {
            steps.add(Block.of(open));
        }
        return steps;
    }
}
