package org.meshbook.elastic.slices;

/// What a probe of one slice found.
public enum Health {
    /// Every device returned the right value in time.
    HEALTHY,
    /// The slice is lost or its link failed.
    UNREACHABLE,
    /// No answer within the time-out.
    HUNG,
    /// A device returned a wrong value: silent data corruption is suspected.
    SUSPECT_SDC
}
