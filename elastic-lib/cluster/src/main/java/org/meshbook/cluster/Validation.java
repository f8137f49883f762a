package org.meshbook.cluster;

/// What an API server does with fields that it does not know and keys that come twice.
public enum Validation {
    /// Refuses the object; kubectl's default since 1.27.
    STRICT,
    /// Leaves them out and warns; the default for other clients.
    WARN,
    /// Leaves them out.
    IGNORE
}
