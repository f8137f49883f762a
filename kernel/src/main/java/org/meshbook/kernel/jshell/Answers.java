package org.meshbook.kernel.jshell;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Documentation;

/// Documentation and completeness of a whole cell, which may hold several snippets.
public final class Answers {
    private final Shell shell;

    /// @param shell whom to ask
    public Answers(Shell shell) {
        this.shell = shell;
    }

    /// @param code Java
    /// @param cursor anywhere on or after a name
    /// @param whole whether to add the documentation comment
    /// @return signatures, and documentation if it was wanted
    public Optional<Documented> document(String code, int cursor, boolean whole) {
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
                .map(found -> new Documented(text(found, whole), html(found, whole)));
    }

    /// What is known of a name.
    ///
    /// @param text as plain text
    /// @param html as HTML without scripts and attributes
    public record Documented(String text, String html) {}

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

    private static String html(List<Documentation> found, boolean whole) {
        return found.stream()
                .map(
                        each -> {
                            var comment = whole ? each.javadoc() : null;
                            return JavadocHtml.of(each.signature(), comment == null ? "" : comment);
                        })
                .collect(Collectors.joining("\n"));
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
