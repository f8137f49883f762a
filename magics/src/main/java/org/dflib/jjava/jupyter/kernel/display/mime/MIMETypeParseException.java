package org.dflib.jjava.jupyter.kernel.display.mime;

/// Text that is no MIME type.
public class MIMETypeParseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message what is wrong
    public MIMETypeParseException(String message) {
        super(message);
    }
}
