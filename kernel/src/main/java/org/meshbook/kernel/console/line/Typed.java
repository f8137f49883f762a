package org.meshbook.kernel.console.line;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.meshbook.kernel.cell.CellEngine;

/// What is typed, as JLine wants to know it: whether it may be run, and which word is completed.
final class Typed implements Parser {
    static final int INDENT = 4;

    private final CellEngine engine;

    Typed(CellEngine engine) {
        this.engine = engine;
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        return switch (context) {
            case ACCEPT_LINE -> accepted(line, cursor);
            case COMPLETE -> word(line, cursor, engine.complete(line, cursor));
            case UNSPECIFIED, SPLIT_LINE, SECONDARY_PROMPT -> all(line, cursor);
        };
    }

    /// An incomplete cell goes on; two empty lines end it anyway.
    private ParsedLine accepted(String line, int cursor) {
        if (!line.isBlank() && !endsByEmptyLines(line)) {
            var complete = engine.completeness(line);
            if (complete.status().equals("incomplete")) {
                var depth = complete.indent().length() / INDENT;
                throw new EOFError(-1, -1, "the cell goes on", "", depth, null);
            }
        }
        return all(line, cursor);
    }

    private static boolean endsByEmptyLines(String line) {
        var last = line.lastIndexOf('\n');
        var before = last < 0 ? -1 : line.lastIndexOf('\n', last - 1);
        return before >= 0 && line.substring(before).isBlank();
    }

    private static Words all(String line, int cursor) {
        return new Words(line, cursor, 0, line.length(), List.of());
    }

    private static Words word(String line, int cursor, CellEngine.Completion found) {
        var start = Math.clamp(found.start(), 0, cursor);
        return new Words(line, cursor, start, cursor, found.matches());
    }

    /// One word: what stands between `start` and `end`.
    ///
    /// @param line all of it
    /// @param cursor in it
    /// @param start of the word
    /// @param end of the word
    /// @param matches what could stand there
    record Words(String line, int cursor, int start, int end, List<String> matches)
            implements CompletingParsedLine {
        @Override
        public String word() {
            return line.substring(start, end);
        }

        @Override
        public int wordCursor() {
            return cursor - start;
        }

        @Override
        public int wordIndex() {
            return 0;
        }

        @Override
        public List<String> words() {
            return List.of(word());
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor();
        }

        @Override
        public int rawWordLength() {
            return end - start;
        }
    }
}
