package org.meshbook.cluster.lint.rule;

import org.meshbook.cluster.manifest.Place;

/// Something in a text that keeps kubectl from reading it, and that a reader sees through.
///
/// @param kind what it is
/// @param place where, in the text as it was given
/// @param verdict what kubectl says about it
public record Repair(Kind kind, Place place, String verdict) {
    /// What keeps kubectl from reading.
    public enum Kind {
        /// All lines are indented, and so are the separators.
        INDENTED,
        /// The first line is deeper than those below it.
        FIRST_LINE,
        /// What follows the manifest is prose.
        PROSE,
        /// The manifest lost its line feeds.
        FLAT
    }
}
