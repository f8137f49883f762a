package org.meshbook.kernel.spi;

/// What was typed after a magic cannot be done; its message is the one line that the user sees.
public class MagicException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message what was asked, what was found, what to do next; one line
    public MagicException(String message) {
        super(message);
    }
}
