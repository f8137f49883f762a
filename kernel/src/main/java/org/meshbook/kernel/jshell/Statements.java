package org.meshbook.kernel.jshell;

import java.util.regex.Pattern;

/// Tells statements from declarations, by their looks. Statements that follow one another can be
/// evaluated as one block, which takes as long as one of them.
public final class Statements {
    private static final String NAME = "(?:this\\s*\\.\\s*)?[\\p{L}_$][\\w$]*";
    private static final String PLACE =
            NAME + "(?:\\s*\\.\\s*[\\p{L}_$][\\w$]*|\\s*\\[[^\\]\\n;]*\\])*";
    private static final Pattern CONTROL =
            Pattern.compile("(?s)(?:if|for|while|do|switch|try|synchronized)\\b.*|\\{.*");
    private static final Pattern ASSIGNMENT =
            Pattern.compile(
                    "(?s)"
                            + PLACE
                            + "\\s*(?:[-+*/%&|^]|<<|>>>?)?=[^=].*;|"
                            + PLACE
                            + "\\s*(?:\\+\\+|--)\\s*;|(?:\\+\\+|--)\\s*"
                            + PLACE
                            + "\\s*;");
    private static final Pattern CALL = Pattern.compile("(?s)" + PLACE + "\\s*\\(.*\\)\\s*;");
    private static final Pattern KEYWORD =
            Pattern.compile(
                    "(?s)(?:return|throw|break|continue|yield|assert|super|else|case)\\b.*");

    private Statements() {}

    /// @param source a complete snippet
    /// @return whether it is surely a statement
    public static boolean is(String source) {
        var text = source.strip();
        return !KEYWORD.matcher(text).matches()
                && (isControl(text)
                        || ASSIGNMENT.matcher(text).matches()
                        || CALL.matcher(text).matches());
    }

    /// @param source a complete snippet
    /// @return whether it is surely a statement that has no value to show
    public static boolean isControl(String source) {
        var text = source.strip();
        return CONTROL.matcher(text).matches() && (text.endsWith(";") || text.endsWith("}"));
    }
}
