package org.dflib.jjava.jupyter.messages.request;

/// A question about earlier cells, of which only its kinds are known here.
public class HistoryRequest {
    /// Which cells are meant.
    public enum AccessType {
        RANGE,
        TAIL,
        SEARCH
    }

    private HistoryRequest() {}
}
