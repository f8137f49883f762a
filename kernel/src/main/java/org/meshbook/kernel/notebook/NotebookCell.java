package org.meshbook.kernel.notebook;

import java.util.Set;

/// One cell of a notebook, to be read.
///
/// @param index place among all cells, from 0
/// @param kind code, markdown or raw
/// @param source its text
/// @param tags words in its metadata
record NotebookCell(int index, Kind kind, String source, Set<String> tags) {
    /// What it holds.
    enum Kind {
        CODE,
        MARKDOWN,
        RAW
    }

    NotebookCell {
        tags = Set.copyOf(tags);
    }

    /// @return whether it is meant to fail, so that the run goes on; nbclient's word
    boolean mayFail() {
        return tags.contains("raises-exception");
    }

    /// @return whether there is something to run
    boolean runs() {
        return kind == Kind.CODE && !tags.contains("skip-execution") && !source.isBlank();
    }
}
