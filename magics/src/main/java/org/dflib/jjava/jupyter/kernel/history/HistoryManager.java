package org.dflib.jjava.jupyter.kernel.history;

/// The history, of which only the name of a flag is known here.
public interface HistoryManager {
    /// How entries are wanted.
    enum ResultFlag {
        TRANSFORMED_INPUT,
        INCLUDE_OUTPUT,
        UNIQUE
    }
}
