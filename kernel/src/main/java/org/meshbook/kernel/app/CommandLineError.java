package org.meshbook.kernel.app;

/// What was typed after `meshbook` cannot be understood; the message is one line.
final class CommandLineError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandLineError(String message) {
        super(message);
    }
}
