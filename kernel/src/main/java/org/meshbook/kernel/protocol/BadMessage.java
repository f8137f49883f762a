package org.meshbook.kernel.protocol;

/// A message whose JSON is broken, or lacks what its type needs.
public sealed class BadMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadMessage(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /// It could be read, but lacks something: its sender can be told.
    public static final class Incomplete extends BadMessage {
        private static final long serialVersionUID = 1L;

        Incomplete(String message) {
            super(message);
        }
    }
}
