package org.meshbook.kernel.install;

/// The kernelspec could not be written; the message is one line.
public final class NotInstalled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotInstalled(String message) {
        super(message);
    }
}
