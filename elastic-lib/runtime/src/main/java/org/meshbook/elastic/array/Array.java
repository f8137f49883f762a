package org.meshbook.elastic.array;

import java.util.List;

/// An n-dimensional array: on this host, placed on a mesh, or a name in a function being traced.
///
/// Operations never block and never change an array. Thread-safe.
public interface Array {
    /// @return element type and shape; known without touching a device
    ArrayType type();

    /// The value, copied to this process.
    ///
    /// Blocks until the devices that compute it are done.
    ///
    /// @return the value
    /// @throws org.meshbook.elastic.UsageError if the array is being traced and has no value
    HostArray toHost();

    /// Which operand's `apply` is asked: host 0, placed 1, traced 2.
    ///
    /// @return the rank of this kind of array
    int precedence();

    /// Applies an operation; called on the operand of the highest precedence.
    ///
    /// @param op the operation
    /// @param operands all operands, this one among them
    /// @return the result
    Array apply(Op op, List<Array> operands);
}
