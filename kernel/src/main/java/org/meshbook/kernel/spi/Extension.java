package org.meshbook.kernel.spi;

import java.util.List;
import java.util.Map;

/// A set of magics, renderers and imports; one object lives as long as the kernel, the console or
/// the run.
public interface Extension {
    /// @return magics, each with its own completion and help
    default List<Magic> magics() {
        return List.of();
    }

    /// @return renderers, asked before the built-in ones
    default List<Renderer> renderers() {
        return List.of();
    }

    /// @return Java source evaluated before the first cell, usually imports; one snippet an entry
    default List<String> startup() {
        return List.of();
    }

    /// Says what it uses besides the memory and the time of the kernel's processes, for monitors of
    /// the front end. Called on any thread, often; must not block.
    ///
    /// @return name to a JSON-like tree, as `slices` to their number
    default Map<String, Object> usage() {
        return Map.of();
    }

    /// Called once, on the thread of the first cell and before its own code, as a part of it.
    ///
    /// @param cell the first cell
    default void first(Cell cell) {}

    /// Called after a cell has added to the class path, on its thread. Extensions in added jars are
    /// found by ServiceLoader and need not look for themselves.
    ///
    /// @param loader sees what was added
    default void grown(ClassLoader loader) {}

    /// Called once when the kernel ends; must return within a second.
    ///
    /// @param restart true if a new kernel follows, so that what outlives a kernel should be kept
    default void close(boolean restart) {}
}
