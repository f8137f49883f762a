package org.meshbook.kernel.wire;

/// What arrived is no message of this protocol, or is not signed with the key.
public final class BadFrames extends Exception {
    private static final long serialVersionUID = 1L;

    BadFrames(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /// @return the message without its numbers
    String kind() {
        return getMessage().replaceAll("[0-9]+", "");
    }
}
