package org.meshbook.kernel.jshell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A cell up to the cursor, as one text that JShell can complete.
///
/// JShell 25 completes nothing in a text with two kinds of snippet (JDK-8368848). So the cell
/// becomes one class: its methods and types are members, in front; its variables and statements are
/// the body of a method, whose end is what is being typed.
///
/// @param text what to complete first: the class, or the snippet alone if there is only one
/// @param whole the class, cut at the cursor
/// @param typed the snippet being typed; the end of `text`
/// @param imports what the cell itself imports, as `java.util.zip.*` or `static java.lang.Math.*`
record CellText(String text, String whole, String typed, List<String> imports) {
    private static final String METHOD = " java.lang.Object $cell() throws java.lang.Throwable { ";
    private static final String MODIFIERS =
            "(?s)\\s*(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp|default|synchronized|@\\w[\\w.]*(?:\\([^)]*\\))?)\\s+)*";
    private static final Pattern TYPE =
            Pattern.compile(
                    MODIFIERS
                            + "(?:(?:class|interface|enum|@\\s*interface)\\b|record\\s+\\w+\\s*[<(]).*");
    private static final Pattern IMPORT =
            Pattern.compile(
                    "(?s)\\s*import\\s+((?:static\\s+|module\\s+)?\\w+(?:\\.\\w+)*(?:\\s*\\.\\s*\\*)?)\\s*;?.*");
    private static final Pattern CONTROL =
            Pattern.compile(
                    "(?s)\\s*(?:if|for|while|do|switch|try|synchronized|return|throw|\\{).*");

    /// @param pieces of the cell up to the cursor
    /// @param code the cell up to the cursor
    static CellText of(List<Piece> pieces, String code) {
        var typed = typed(pieces, code);
        var members = new StringBuilder();
        var body = new StringBuilder();
        var imports = new ArrayList<String>();
        for (var piece : pieces) {
            if (typed.isEmpty() || piece != pieces.getLast()) {
                sort(piece.source(), members, body, imports);
            }
        }
        var alone = members.isEmpty() && body.isEmpty();
        var member = TYPE.matcher(typed).matches() || isMethodHead(typed);
        var whole = "class $Cell { " + members + (member ? "" : METHOD + body) + typed;
        return new CellText(alone ? typed : whole, whole, typed, List.copyOf(imports));
    }

    /// The last piece, unless the cursor is behind it already.
    private static String typed(List<Piece> pieces, String code) {
        if (pieces.isEmpty()) {
            return "";
        }
        var last = pieces.getLast();
        var text = code.substring(last.offset());
        var closed = text.endsWith(";") || text.endsWith("}") || text.endsWith("\n");
        var ended =
                last.state() == Piece.State.COMPLETE && text.stripTrailing().matches("(?s).*[;}]");
        return ended && (closed || text.endsWith(" ")) ? "" : text;
    }

    private static void sort(
            String source, StringBuilder members, StringBuilder body, List<String> imports) {
        var imported = IMPORT.matcher(source);
        if (imported.matches()) {
            imports.add(imported.group(1).replaceAll("\\s+", " ").replaceAll(" ?[.] ?\\*", ".*"));
        } else if (TYPE.matcher(source).matches() || isMethod(source)) {
            members.append(source).append('\n');
        } else {
            body.append(source).append(source.matches("(?s).*[;}]\\s*") ? "\n" : ";\n");
        }
    }

    private static boolean isMethod(String source) {
        return source.stripTrailing().endsWith("}")
                && source.contains("(")
                && !CONTROL.matcher(source).matches()
                && Syntax.isMethod(source);
    }

    /// `int twice(int n) { return n` is a method that is being typed.
    private static boolean isMethodHead(String source) {
        return !CONTROL.matcher(source).matches()
                && source.matches(
                        "(?s)"
                                + MODIFIERS
                                + "(?:<[^{;=]*>\\s*)?[\\w.<>\\[\\],"
                                + " ?]+\\s+\\w+\\s*\\([^;{}]*\\)\\s*(?:throws\\s[\\w., ]+)?\\{.*")
                && !source.matches("(?s)\\s*new\\b.*");
    }
}
