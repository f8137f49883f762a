package org.meshbook.kernel.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What the cells of one engine have made so far. Thread-safe.
public interface Workspace {
    /// @return the variables that can be used now, in the order of their declaration
    List<Variable> variables();

    /// @return everything that is declared now (imports, variables, methods, types), as source, in
    ///   the order of its declaration; without what Meshbook declared itself
    List<Declaration> declarations();

    /// @return cells in the order they were run, the running one last
    List<Entry> history();

    /// @return jars and folders that cells see, in their order
    List<Path> classPath();

    /// Adds to what cells see; what is there already is skipped. `java.class.path` is kept in step.
    ///
    /// @param more jars and folders
    void addToClassPath(List<Path> more);

    /// Adds magics, renderers and start-up code from now on; of two magics of one name, the latest
    /// wins.
    ///
    /// @param extension closed with the others
    void activate(Extension extension);

    /// Forgets all variables, methods, types and imports of cells; the imports that every cell has
    /// are made anew. The class path stays.
    void reset();

    /// @param code a name or an expression, as `Math.max` or `text.strip`
    /// @return its signatures and documentation as plain text, if anything is known
    Optional<String> document(String code);

    /// @param fragment the beginning of some Java
    /// @return what could follow, as whole words that replace its last one
    List<String> complete(String fragment);

    /// A variable.
    ///
    /// @param name its name
    /// @param type its type as it reads in source
    /// @param value its value
    record Variable(String name, String type, @org.jspecify.annotations.Nullable Object value) {}

    /// Something that was declared.
    ///
    /// @param kind what it is
    /// @param name its name; of an import, what is imported
    /// @param source its source, as it was typed
    record Declaration(Kind kind, String name, String source) {
        /// What can be declared.
        public enum Kind {
            IMPORT,
            VARIABLE,
            METHOD,
            TYPE,
            STATEMENT
        }
    }

    /// A cell that was run.
    ///
    /// @param number its execution count
    /// @param code its text
    /// @param took how long it ran; empty for one that still runs
    /// @param failed whether it ended with an error
    record Entry(int number, String code, Optional<Duration> took, boolean failed) {}
}
