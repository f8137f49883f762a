package org.meshbook.kernel.session;

/// The way out of a session.
interface Departure {
    /// Closes everything, in bounded time; the session ends once the request that asked for it is
    /// [#settled].
    ///
    /// @param restart whether a new kernel follows
    void leave(boolean restart);

    /// The request in hand is answered, its idle included.
    void settled();
}
