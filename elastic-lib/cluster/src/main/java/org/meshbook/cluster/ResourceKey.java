package org.meshbook.cluster;

/// Which object: its kind, its namespace and its name.
///
/// @param kind kind, in the version in which it is kept
/// @param namespace namespace, `""` for kinds that have none
/// @param name name
public record ResourceKey(ResourceKind kind, String namespace, String name)
        implements Comparable<ResourceKey> {
    /// @return `namespace/name`, or `name` for kinds without a namespace
    public String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(ResourceKey other) {
        int byKind = kind.equals(other.kind) ? 0 : kind.resource().compareTo(other.kind.resource());
        int bySpace = byKind != 0 ? byKind : namespace.compareTo(other.namespace);
        return bySpace != 0 ? bySpace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return kind.kind() + " " + path();
    }
}
