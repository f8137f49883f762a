package org.meshbook.kernel.cell;

import java.util.Optional;
import java.util.regex.Pattern;

/// A program that was pasted: it is declared, and nothing ran. Says how to run it.
final class MainHint {
    private static final String ARGUMENTS =
            "\\(\\s*(?:final\\s+)?(String\\s*(?:\\[\\s*]|\\.\\.\\.)[^)]*)?\\)[^;{}\"]*\\{";
    private static final Pattern ALONE =
            Pattern.compile(
                    "(?s)\\s*(?:(?:public|static|private|protected)\\s+)*void\\s+main\\s*"
                            + ARGUMENTS
                            + ".*");
    private static final Pattern TYPE =
            Pattern.compile(
                    "(?s)\\s*(?:@\\w+\\s+)*(?:(?:public|final|abstract|static)\\s+)*(?:class|record|enum|interface)\\s+(\\w+).*");
    private static final Pattern INSIDE = Pattern.compile("\\bvoid\\s+main\\s*" + ARGUMENTS);
    private static final Pattern STATIC =
            Pattern.compile("\\bstatic\\b[^;{}]*\\bvoid\\s+main\\s*\\(");

    private MainHint() {}

    /// @param source the last snippet of a cell
    /// @return one line, if it declares a `main` that nobody called
    static Optional<String> of(String source) {
        var alone = ALONE.matcher(source);
        if (alone.matches()) {
            return Optional.of(said("main" + arguments(alone.group(1))));
        }
        var type = TYPE.matcher(source);
        var inside = INSIDE.matcher(source);
        if (!type.matches() || !inside.find()) {
            return Optional.empty();
        }
        var owner = STATIC.matcher(source).find() ? type.group(1) : "new " + type.group(1) + "()";
        return Optional.of(said(owner + ".main" + arguments(inside.group(1))));
    }

    private static String arguments(@org.jspecify.annotations.Nullable String declared) {
        return declared == null ? "()" : "(new String[0])";
    }

    private static String said(String call) {
        return "declared, not run: " + call + " runs it";
    }
}
