package org.meshbook.kernel.jshell;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/// Splits Java into snippets.
///
/// JShell looks at all of a text to find its first snippet; of a long cell it is shown a part that
/// grows until the snippet ends well within it.
final class Splitter {
    private static final int FIRST_PART = 4_000;

    private static final Pattern PACKAGE =
            Pattern.compile("\\s*package\\s+[\\p{javaJavaIdentifierPart}.\\s]+;");

    private final Function<String, CompletionInfo> analysis;

    /// @param analysis JShell's
    Splitter(Function<String, CompletionInfo> analysis) {
        this.analysis = analysis;
    }

    List<Piece> split(String code) {
        var pieces = new ArrayList<Piece>();
        // A cell has no package of its own: what follows such a line is what counts.
        var matcher = PACKAGE.matcher(code);
        var at = indexOfText(code, matcher.lookingAt() ? matcher.end() : 0);
        while (at < code.length()) {
            at = indexOfText(code, next(code, at, pieces));
        }
        return pieces;
    }

    private static int indexOfText(String code, int from) {
        var i = from;
        while (i < code.length() && Character.isWhitespace(code.charAt(i))) {
            i++;
        }
        return i;
    }

    /// @return where the rest begins
    private int next(String code, int at, List<Piece> pieces) {
        for (var length = FIRST_PART; at + length < code.length(); length *= 4) {
            var part = code.substring(at, at + length);
            var info = analysis.apply(part);
            if (info.completeness() == Completeness.COMPLETE && !info.remaining().isBlank()) {
                return add(info, at, part.length(), pieces);
            }
        }
        var text = code.substring(at);
        var info = analysis.apply(text);
        return switch (info.completeness()) {
            case EMPTY -> code.length();
            case COMPLETE, COMPLETE_WITH_SEMI, CONSIDERED_INCOMPLETE ->
                    add(info, at, text.length(), pieces);
            case DEFINITELY_INCOMPLETE -> {
                pieces.add(new Piece(text, at, Piece.State.INCOMPLETE));
                yield code.length();
            }
            case UNKNOWN -> {
                pieces.add(new Piece(text, at, Piece.State.BROKEN));
                yield code.length();
            }
        };
    }

    private static int add(CompletionInfo info, int at, int length, List<Piece> pieces) {
        if (!info.source().strip().equals(";")) {
            var state =
                    info.completeness() == Completeness.CONSIDERED_INCOMPLETE
                            ? Piece.State.EXTENDABLE
                            : Piece.State.COMPLETE;
            pieces.add(new Piece(info.source(), at, state));
        }
        return info.completeness() == Completeness.COMPLETE
                ? at + length - info.remaining().length()
                : at + length;
    }
}
