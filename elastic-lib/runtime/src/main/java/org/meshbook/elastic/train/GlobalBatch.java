package org.meshbook.elastic.train;

import static org.meshbook.elastic.UsageError.require;

import org.meshbook.elastic.manager.Manager;

/// How many rows a step takes when the number of slices changes: a choice that is the program's,
/// never made behind its back.
///
/// A constant batch is cut anew over the slices there are and must divide over them; the training
/// is the same as on all slices, and slower. A scaled batch gives each slice as many rows as
/// before; with fewer slices a step sees fewer rows, so that the gradient is noisier: a learning
/// rate that was tuned for all slices may then be too large, and the number of steps in an epoch
/// changes.
///
/// @param rows of a step on all slices of the allocation
/// @param scaled whether fewer slices take fewer rows
public record GlobalBatch(int rows, boolean scaled) {
    /// @throws org.meshbook.elastic.UsageError if there are no rows
    public GlobalBatch {
        require(rows >= 1, "a batch of %d rows; give at least 1", rows);
    }

    /// @param rows of every step, whatever the number of slices
    /// @return the choice
    public static GlobalBatch constant(int rows) {
        return new GlobalBatch(rows, false);
    }

    /// @param rows of a step on all slices of the allocation
    /// @return the choice
    public static GlobalBatch scaled(int rows) {
        return new GlobalBatch(rows, true);
    }

    /// @param manager whose active slices share the batch
    /// @return rows of a step now
    /// @throws org.meshbook.elastic.UsageError if a scaled batch does not divide; says the
    ///   remainder
    public int rows(Manager manager) {
        return scaled ? manager.scaleByActiveSlices(rows) : rows;
    }
}
