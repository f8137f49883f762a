package org.meshbook.elastic.transport;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// Why a value is not there: it travels in place of the value, from device to device and at last to
/// the client.
///
/// @param kind whose fault it is
/// @param slices indices of lost slices, ascending; empty unless the kind is LOST
/// @param message one line
public record Fault(Kind kind, Set<Integer> slices, String message) {
    /// Whose fault.
    public enum Kind {
        /// A slice is lost.
        LOST,
        /// The program cannot be computed as asked.
        USAGE,
        /// The engine failed.
        FAILED,
        /// Memory ran out.
        MEMORY
    }

    public Fault {
        slices = Collections.unmodifiableSet(new TreeSet<>(slices));
    }

    /// @param slice index of the lost slice
    /// @param message one line
    /// @return the fault
    public static Fault lost(int slice, String message) {
        return new Fault(Kind.LOST, Set.of(slice), message);
    }

    /// @param message one line
    /// @return a fault of whoever asked
    public static Fault usage(String message) {
        return new Fault(Kind.USAGE, Set.of(), message);
    }

    /// @param message one line
    /// @return a fault of an engine
    public static Fault failed(String message) {
        return new Fault(Kind.FAILED, Set.of(), message);
    }

    /// @param message one line
    /// @return a want of memory
    public static Fault memory(String message) {
        return new Fault(Kind.MEMORY, Set.of(), message);
    }

    /// @param failure what was thrown
    /// @param what was being done, as "run of 'step' on device 3"
    /// @return the fault that says so
    public static Fault of(Throwable failure, String what) {
        return switch (failure) {
            case FaultException f -> f.fault();
            case UsageError e -> usage(what, e);
            case MeshMismatch e -> usage(what, e);
            case OutOfMemoryError e ->
                    memory("out of memory in " + what + " (" + e.getMessage() + ")");
            default -> {
                var text = failure.getMessage();
                yield failed(what + " failed: " + (text == null ? failure.toString() : text));
            }
        };
    }

    private static Fault usage(String what, ElasticException failure) {
        return new Fault(Kind.USAGE, Set.of(), what + " failed: " + failure.getMessage());
    }
}
