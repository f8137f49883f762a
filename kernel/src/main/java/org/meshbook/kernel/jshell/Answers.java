package org.meshbook.kernel.jshell;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Documentation;
import jdk.jshell.SourceCodeAnalysis.Suggestion;

/// Completion, documentation and completeness of a whole cell, which may hold several snippets.
///
/// Works around JDK-8368848: JShell 25 completes nothing in a text with two kinds of snippet.
public final class Answers {
    private final Shell shell;

    /// @param shell whom to ask
    public Answers(Shell shell) {
        this.shell = shell;
    }

    /// @param matches what could stand between `start` and the cursor, best first
    /// @param start in UTF-16 units
    public record Suggestions(List<String> matches, int start) {
        private static final Suggestions NONE = new Suggestions(List.of(), 0);
    }

    /// @param code Java
    /// @param cursor in UTF-16 units
    /// @return what could stand there
    public Suggestions complete(String code, int cursor) {
        var before = code.substring(0, cursor);
        var found = suggestions(before, 0);
        if (found.matches().isEmpty()) {
            found = suggestions(locals(before), 1);
        }
        if (found.matches().isEmpty()) {
            var pieces = shell.split(before);
            if (!pieces.isEmpty()) {
                var offset = pieces.getLast().offset();
                var alone = suggestions(before.substring(offset), 0);
                found = new Suggestions(alone.matches(), alone.start() + offset);
            }
        }
        return found.matches().isEmpty() ? new Suggestions(List.of(), cursor) : found;
    }

    private Suggestions suggestions(String code, int prefix) {
        if (code.isBlank()) {
            return Suggestions.NONE;
        }
        var anchor = new int[] {code.length()};
        var found = shell.ask(a -> a.completionSuggestions(code, code.length(), anchor));
        var matches =
                Stream.concat(
                                found.stream().filter(Suggestion::matchesType),
                                found.stream().filter(s -> !s.matchesType()))
                        .map(Suggestion::continuation)
                        .distinct()
                        .toList();
        return new Suggestions(matches, anchor[0] - prefix);
    }

    /// The cell as the body of one method: types become local ones, imports and methods are blanked
    /// out. Begins with one character more.
    private String locals(String code) {
        var text = new StringBuilder(code);
        var pieces = shell.split(code);
        for (var piece : pieces.subList(0, Math.max(0, pieces.size() - 1))) {
            if (isMember(piece)) {
                for (var i = 0; i < piece.source().length(); i++) {
                    var at = piece.offset() + i;
                    if (at < text.length() && text.charAt(at) != '\n') {
                        text.setCharAt(at, ' ');
                    }
                }
            }
        }
        return ";" + text;
    }

    /// Not asked of JShell: its `sourceToSnippets` leaves it with a class that it never finds
    /// again.
    private static boolean isMember(Piece piece) {
        return piece.source().startsWith("import") || Syntax.isMethod(piece.source());
    }

    /// @param code Java
    /// @param cursor anywhere on or after a name
    /// @param whole whether to add the documentation comment
    /// @return signatures, as text
    public Optional<String> document(String code, int cursor, boolean whole) {
        var end = cursor;
        while (end < code.length() && Character.isJavaIdentifierPart(code.charAt(end))) {
            end++;
        }
        var name = code.substring(0, end);
        // A name of a method alone has no documentation: it needs its parenthesis.
        // After a call's parenthesis its method is meant.
        return Stream.of(name, name + "(", name.replaceFirst("\\(\\s*\\)\\s*;?\\s*$", "") + "(")
                .flatMap(text -> Stream.of(text, lastPiece(text)))
                .distinct()
                .map(text -> documentation(text, whole))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .map(found -> text(found, whole));
    }

    private String lastPiece(String code) {
        var pieces = shell.split(code);
        return pieces.isEmpty() ? code : code.substring(pieces.getLast().offset());
    }

    private List<Documentation> documentation(String code, boolean whole) {
        return shell.ask((SourceCodeAnalysis a) -> a.documentation(code, code.length(), whole));
    }

    private static String text(List<Documentation> found, boolean whole) {
        var text = new StringBuilder();
        for (var each : found) {
            text.append(each.signature()).append('\n');
            var comment = whole ? each.javadoc() : null;
            if (comment != null && !comment.isBlank()) {
                text.append('\n').append(Javadoc.plain(comment).indent(4)).append('\n');
            }
        }
        return text.toString().stripTrailing();
    }

    /// @param code Java
    /// @return whether it can be run
    public Piece.State completeness(String code) {
        for (var piece : shell.split(code)) {
            var state = Syntax.check(piece);
            if (state != Piece.State.COMPLETE) {
                return state;
            }
        }
        return Piece.State.COMPLETE;
    }
}
