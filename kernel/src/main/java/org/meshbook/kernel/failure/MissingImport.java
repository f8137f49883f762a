package org.meshbook.kernel.failure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Imports that bring a type whose simple name is known.
public final class MissingImport {
    private static final int MOST = 3;
    private static final Pattern CLASS = Pattern.compile("\\bclass (\\w+)");
    private static final Pattern INTERNAL =
            Pattern.compile("(?:.*\\.)?(?:internal|impl)\\..*|(?:sun|com\\.sun|jdk)\\..*");

    private MissingImport() {}

    /// @param sentence may name a class that is missing
    /// @return the import that brings it, if the JDK has such a class
    public static Optional<String> of(String sentence) {
        var found = CLASS.matcher(sentence);
        return found.find() ? of(found.group(1), List.of()) : Optional.empty();
    }

    /// @param name simple name of a type
    /// @param others full names of such types that are known already
    static Optional<String> of(String name, List<String> others) {
        var imports =
                Stream.concat(TypeIndex.jdk(name).stream(), others.stream())
                        .distinct()
                        .filter(full -> !isInternal(full))
                        .sorted(
                                Comparator.comparing((String full) -> !full.startsWith("java."))
                                        .thenComparing(String::length))
                        .limit(MOST)
                        .map("import %s;"::formatted)
                        .toList();
        return imports.isEmpty() ? Optional.empty() : Optional.of(String.join("  or  ", imports));
    }

    static boolean isInternal(String name) {
        return INTERNAL.matcher(name).matches();
    }
}
