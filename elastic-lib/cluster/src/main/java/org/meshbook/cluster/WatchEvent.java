package org.meshbook.cluster;

/// A change of one object.
///
/// @param type what happened
/// @param object the object after it; the last state of a deleted one
public record WatchEvent(Type type, Resource object) {
    /// What happened to an object.
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }
}
