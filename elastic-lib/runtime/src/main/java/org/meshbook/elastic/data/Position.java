package org.meshbook.elastic.data;

import static org.meshbook.elastic.UsageError.require;

/// Where reading goes on: one integer, and the name of the data it counts in. A tree of plain
/// values, so that it can stand in the record that a snapshot saves.
///
/// @param next global index of the next row, counted over all epochs: epoch times rows plus place
/// @param source fingerprint of the data, its order included
public record Position(long next, String source) {
    /// @throws org.meshbook.elastic.UsageError if the index is negative
    public Position {
        require(next >= 0, "position %d; positions start at 0", next);
    }

    @Override
    public String toString() {
        return "row " + next + " of " + source;
    }
}
