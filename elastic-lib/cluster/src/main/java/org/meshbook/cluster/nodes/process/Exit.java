package org.meshbook.cluster.nodes.process;

import java.time.Instant;

/// How a container ended.
///
/// @param code exit code; 128 and the signal's number after a signal
/// @param reason `Completed`, `Error`, `OOMKilled`, `StartError` or `ContainerStatusUnknown`
/// @param message more about it; often empty
/// @param at when
public record Exit(int code, String reason, String message, Instant at) {
    /// What a program that cannot be started counts as.
    static final int CANNOT_START = 128;

    static final int KILLED = 137;

    /// @param code exit code
    /// @param at when
    /// @return the end of a program that ran
    public static Exit of(int code, Instant at) {
        return new Exit(code, code == 0 ? "Completed" : "Error", "", at);
    }

    /// @param message why
    /// @param at when
    /// @return the end of one that never ran
    public static Exit notStarted(String message, Instant at) {
        return new Exit(CANNOT_START, "StartError", message, at);
    }

    /// @param at when it was missed
    /// @return the end of one that ran when its cluster died
    public static Exit lost(Instant at) {
        return new Exit(
                KILLED,
                "ContainerStatusUnknown",
                "The container could not be located when the pod was terminated",
                at);
    }

    /// @return whether it did what it should
    public boolean success() {
        return code == 0;
    }
}
