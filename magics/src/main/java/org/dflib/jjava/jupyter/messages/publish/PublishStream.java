package org.dflib.jjava.jupyter.messages.publish;

/// Text that a cell printed, of which only the streams are known here.
public class PublishStream {
    /// Where it was printed.
    public enum StreamType {
        OUT,
        ERR
    }

    private PublishStream() {}
}
