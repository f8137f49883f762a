package org.meshbook.kernel.protocol;

/// A message whose JSON is broken, or lacks what its type needs.
public final class BadMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadMessage(String message) {
        super(message);
    }
}
