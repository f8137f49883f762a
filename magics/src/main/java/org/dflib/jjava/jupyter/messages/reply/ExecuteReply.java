package org.dflib.jjava.jupyter.messages.reply;

/// A reply to a cell, of which only its states are known here.
public class ExecuteReply {
    /// How it went.
    public enum Status {
        OK,
        ERROR
    }

    private ExecuteReply() {}
}
