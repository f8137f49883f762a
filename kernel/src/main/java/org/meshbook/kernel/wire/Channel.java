package org.meshbook.kernel.wire;

import java.util.Locale;

/// The protocol's five sockets.
public enum Channel {
    SHELL,
    CONTROL,
    STDIN,
    IOPUB,
    HEARTBEAT;

    /// @return the protocol's word for it, as in `hb_port`
    String word() {
        return this == HEARTBEAT ? "hb" : name().toLowerCase(Locale.ROOT);
    }
}
