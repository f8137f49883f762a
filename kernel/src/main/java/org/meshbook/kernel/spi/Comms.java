package org.meshbook.kernel.spi;

import java.util.function.BiConsumer;

/// The conversations of one kernel with its front ends. Thread-safe.
public interface Comms {
    /// Opens a conversation.
    ///
    /// @param target what kind of counterpart is wanted; a front end that knows none closes it
    /// @param first goes with the opening
    /// @return the conversation
    Comm open(String target, Comm.Message first);

    /// Says who answers when a front end opens a conversation; without anybody, it is closed.
    ///
    /// @param target the name that the front end asks for
    /// @param opened called as a cell's code is, with the first message. Replaces the one before.
    void register(String target, BiConsumer<Comm, Comm.Message> opened);

    /// @return the same object for every cell of one kernel
    default Object kernel() {
        return this;
    }

    /// @param target a name that nobody answers any more
    void unregister(String target);
}
