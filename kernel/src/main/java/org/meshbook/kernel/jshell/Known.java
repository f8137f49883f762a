package org.meshbook.kernel.jshell;

import java.lang.reflect.Method;
import java.util.Optional;
import jdk.jshell.Snippet;

/// Snippets that were compiled and declare nothing: when one of them comes again and nothing was
/// declared meanwhile, the same text means the same, and no compiler is asked.
///
/// Running a cell again is what people do most, and nearly all of its time was javac's. Only the
/// latest are kept. Owned by the thread that holds the shell's lock.
final class Known {
    private static final int MOST = 64;

    private long meanings;

    private final Latest<Compiled> compiled = new Latest<>(MOST);

    /// A compiled snippet.
    ///
    /// @param snippet JShell's
    /// @param code what runs it
    record Compiled(Snippet snippet, Method code) {}

    /// @param typed the snippet as it was typed
    /// @return what it was compiled to, if that still is what it means
    Optional<Compiled> find(String typed) {
        return Optional.ofNullable(compiled.get(typed));
    }

    /// @return how often names changed their meaning so far
    long meanings() {
        return meanings;
    }

    /// @param typed the snippet as it was typed
    /// @param to what it was compiled to
    /// @param since [#meanings] when it was compiled; another evaluation may have declared
    ///   something
    void keep(String typed, Compiled to, long since) {
        if (since == meanings) {
            compiled.put(typed, to);
        }
    }

    /// A name may mean something else from now on.
    void clear() {
        meanings++;
        compiled.clear();
    }
}
