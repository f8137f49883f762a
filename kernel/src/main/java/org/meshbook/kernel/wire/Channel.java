package org.meshbook.kernel.wire;

/// The protocol's five sockets.
public enum Channel {
    SHELL,
    CONTROL,
    STDIN,
    IOPUB,
    HEARTBEAT
}
