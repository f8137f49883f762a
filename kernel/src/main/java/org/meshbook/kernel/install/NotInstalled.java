package org.meshbook.kernel.install;

/// The kernel could not be installed, found, removed or tried; the message is one line.
public final class NotInstalled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message what was asked, what was found, what to do
    public NotInstalled(String message) {
        super(message);
    }
}
