package org.meshbook.kernel.wire.zmtp;

import java.io.IOException;

/// A peer that does not keep to the protocol; its connection is closed.
final class BadPeer extends IOException {
    private static final long serialVersionUID = 1L;

    BadPeer(String what) {
        super(what);
    }
}
