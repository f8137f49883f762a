package org.meshbook.kernel.wire;

/// What arrived is no message of this protocol, or is not signed with the key.
public final class BadFrames extends Exception {
    private static final long serialVersionUID = 1L;

    BadFrames(String message) {
        super(message);
    }
}
