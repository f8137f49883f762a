package org.meshbook.kernel.jshell;

import java.util.List;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import org.jspecify.annotations.Nullable;

/// What came of one snippet.
///
/// @param valued whether it was an expression
/// @param value the expression's value
/// @param thrown what it threw, or null; [UserThread.Left] if it was left behind
/// @param errors why it was refused; empty if it was not
/// @param unresolved declarations that wait for others
/// @param notices what else the user should know, one line each
public record Evaluated(
        boolean valued,
        @Nullable Object value,
        @Nullable Throwable thrown,
        List<Diag> errors,
        List<DeclarationSnippet> unresolved,
        List<String> notices) {
    public Evaluated {
        errors = List.copyOf(errors);
        unresolved = List.copyOf(unresolved);
        notices = List.copyOf(notices);
    }

    static Evaluated failed(Throwable thrown) {
        return new Evaluated(false, null, thrown, List.of(), List.of(), List.of());
    }
}
