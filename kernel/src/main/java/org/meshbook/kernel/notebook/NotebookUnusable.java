package org.meshbook.kernel.notebook;

/// A notebook cannot be read, understood or written; the message is one line.
public final class NotebookUnusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotebookUnusable(String message) {
        super(message);
    }
}
