package org.meshbook.elastic.transport;

/// A value that was waited for is not going to come.
public final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    /// @param fault why
    public FaultException(Fault fault) {
        super(fault.message(), null, false, false);
        this.fault = fault;
    }

    /// @return why
    public Fault fault() {
        return fault;
    }
}
