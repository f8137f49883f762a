package org.meshbook.kernel.wire;

/// Receives what the sockets got. Called on the thread that owns them: must return at once.
public interface Inbox {
    /// @param channel shell, control or stdin
    /// @param envelope a message whose signature is right
    void received(Channel channel, Envelope envelope);

    /// @param topic what a new subscriber of iopub asked for; empty for everything
    /// @return what only this subscriber is told, before anything else
    Envelope welcome(String topic);
}
