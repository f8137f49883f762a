package org.dflib.jjava.jupyter.kernel.magic;

/// A magic's words do not fit.
public class MagicArgsParseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message what is wrong
    public MagicArgsParseException(String message) {
        super(message);
    }
}
