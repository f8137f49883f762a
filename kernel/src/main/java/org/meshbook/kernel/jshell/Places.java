package org.meshbook.kernel.jshell;

import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import org.jspecify.annotations.Nullable;

/// Where the classes of snippets came from: from a frame of a stack trace to a place in a cell.
///
/// Remembers the latest snippets only. Owned by the thread that holds the shell's lock.
final class Places {
    private static final int MOST_SNIPPETS = 2_000;

    private final Latest<Origin> origins = new Latest<>(MOST_SNIPPETS);
    private final Latest<Snippet> snippets = new Latest<>(MOST_SNIPPETS);

    /// A class was made; unless it is an earlier snippet's made anew, it belongs to this source.
    void made(String className, @Nullable Origin origin) {
        if (origin != null) {
            origins.putIfAbsent(KeptVariables.index(className), origin);
        }
    }

    /// A snippet runs again, in another cell or at another place.
    void moved(Snippet snippet, @Nullable Origin origin) {
        if (origin != null) {
            origins.put(snippet.id(), origin);
        }
    }

    void evaluated(Snippet snippet) {
        snippets.put(snippet.id(), snippet);
    }

    /// @return whether a snippet of that number was not evaluated before
    boolean isFirst(Snippet snippet) {
        return !snippets.containsKey(snippet.id());
    }

    /// @return whether a snippet stands in the same cell
    boolean isOf(Snippet snippet, @Nullable Origin cell) {
        var origin = origins.get(snippet.id());
        return origin != null && cell != null && origin.code().equals(cell.code());
    }

    /// @return the place of a frame of a cell's class, or null if it is not known (any more)
    Shell.@Nullable Place find(StackTraceElement frame, JShell jshell) {
        var id = KeptVariables.index(frame.getClassName());
        // A snippet that still runs was not gathered yet.
        var snippet =
                snippets.computeIfAbsent(
                        id,
                        _ ->
                                jshell.snippets()
                                        .filter(s -> s.id().equals(id))
                                        .findFirst()
                                        .orElse(null));
        if (snippet == null) {
            return null;
        }
        try {
            var offset = offset(snippet, frame.getLineNumber(), jshell);
            return new Shell.Place(origins.get(id), offset);
        } catch (RuntimeException e) {
            // A snippet that was compiled anew since: its lines are not known any more.
            return null;
        }
    }

    private static int offset(Snippet snippet, int line, JShell jshell) {
        var wrapper = jshell.sourceCodeAnalysis().wrapper(snippet);
        var lines = wrapper.wrapped().split("\n", -1);
        if (line < 1 || line > lines.length) {
            return 0;
        }
        var end = 0;
        for (var i = 0; i < line; i++) {
            end += lines[i].length() + 1;
        }
        var last = end - 1 - (lines[line - 1].length() - lines[line - 1].stripTrailing().length());
        var first = QuickExpression.start(snippet.source());
        return Math.clamp(
                wrapper.wrappedToSourcePosition(Math.max(0, last - 1)),
                first,
                Math.max(first, snippet.source().length() - 1));
    }
}
