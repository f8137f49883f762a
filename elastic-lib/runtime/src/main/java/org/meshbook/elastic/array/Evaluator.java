package org.meshbook.elastic.array;

import java.util.List;
import java.util.ServiceLoader;

/// Computes one operation on host arrays in this process; found by ServiceLoader (the reference
/// engine provides it).
public interface Evaluator {
    /// The evaluator of this JVM.
    Evaluator LOCAL =
            ServiceLoader.load(Evaluator.class, Evaluator.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new java.util.ServiceConfigurationError(
                                            "no array evaluator on the class path"));

    /// @param op the operation
    /// @param operands its operands
    /// @return the result
    HostArray evaluate(Op op, List<HostArray> operands);

    /// @param op the operation
    /// @param operands its operands
    /// @return all its results: more than one of an operation that holds functions
    List<HostArray> evaluateAll(Op op, List<HostArray> operands);
}
