package org.meshbook.kernel.jshell;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An expression as the initializer of a variable without a name.
///
/// Of `i + 1` JShell makes a variable of its own, for whose type it runs javac four times; of a
/// variable that says its type, twice. What is no expression, or has no value, or means something
/// else where an `Object` is wanted, is refused or not tried, and then evaluated as it stands.
final class QuickExpression {
    private static final String PREFIX = "java.lang.Object _ = ";

    /// A `?` or `switch` takes the type that is wanted of it; calls that print have no value.
    private static final Pattern OTHER = Pattern.compile("\\?|\\bswitch\\b|->|^\\s*System\\s*\\.");

    private QuickExpression() {}

    /// @param source a complete snippet
    /// @return the variable, if the snippet looks like an expression
    static Optional<String> of(String source) {
        var end = source.stripTrailing();
        return end.isEmpty()
                        || end.endsWith(";")
                        || end.endsWith("}")
                        || OTHER.matcher(source).find()
                ? Optional.empty()
                : Optional.of(PREFIX + source + "\n;");
    }

    /// @param source of any snippet
    /// @param origin where the user's text stands; null if nowhere
    /// @return where the snippet would begin, were its own text there
    static @Nullable Origin within(String source, @Nullable Origin origin) {
        return origin == null ? null : origin.shifted(-start(source));
    }

    /// @param source of any snippet
    /// @return where in it the user's text begins
    static int start(String source) {
        return source.startsWith(PREFIX) ? PREFIX.length() : 0;
    }
}
