package org.meshbook.cluster.manifest;

/// A text that kubectl could not read either. The message is kubectl's own.
public final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Fault fault;

    ManifestException(Fault fault) {
        super(fault.text());
        this.fault = fault;
    }

    /// @return what is wrong, and where
    public Fault fault() {
        return fault;
    }
}
