package org.meshbook.kernel.display;

import java.util.regex.Pattern;

/// Names of types as the user wrote them: JShell wraps each in a class of its own.
public final class TypeNames {
    private static final String WRAPPER = "REPL.$JShell$";
    private static final Pattern WRAPPED =
            Pattern.compile("REPL[./]\\$JShell\\$\\d+[A-Z]*(?:[$.]|\\b)");

    private TypeNames() {}

    /// @param text anything that may name classes of cells
    /// @return the same with the names that the user gave them
    public static String clean(String text) {
        return text.contains(WRAPPER) || text.contains("REPL/$JShell$")
                ? WRAPPED.matcher(text).replaceAll("")
                : text;
    }

    /// @param type any type
    /// @return its simple name; for an anonymous one, that of what it extends
    public static String simple(Class<?> type) {
        if (type.isArray()) {
            return simple(type.getComponentType()) + "[]";
        }
        if (type.isAnonymousClass()) {
            var above = type.getInterfaces();
            return above.length > 0 ? simple(above[0]) : simple(type.getSuperclass());
        }
        var name = type.getSimpleName();
        return name.isEmpty() ? type.getName() : name;
    }

    static boolean isLambda(Class<?> type) {
        return type.isHidden() && type.getName().contains("$$Lambda");
    }
}
