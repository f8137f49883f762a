package org.meshbook.cluster.manifest;

/// Ends the reading of a part.
final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Fault.Kind kind;
    private final transient Place place;

    Unreadable(Fault.Kind kind, Place place, String problem) {
        super(problem, null, false, false);
        this.kind = kind;
        this.place = place;
    }

    Fault.Kind kind() {
        return kind;
    }

    Place place() {
        return place;
    }
}
