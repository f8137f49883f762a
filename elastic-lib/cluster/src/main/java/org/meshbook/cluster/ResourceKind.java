package org.meshbook.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind of object: where it is served and what it is called.
///
/// @param group API group, `""` for the core one
/// @param version version in which it is kept, such as `v1beta2`
/// @param kind its name in manifests, such as `ClusterQueue`
/// @param plural its name in paths, such as `clusterqueues`
/// @param shortNames what people type for it, such as `cq`
/// @param namespaced whether its objects live in namespaces
public record ResourceKind(
        String group,
        String version,
        String kind,
        String plural,
        List<String> shortNames,
        boolean namespaced) {
    public ResourceKind {
        shortNames = List.copyOf(shortNames);
    }

    /// @return `group/version`, or `version` for the core group
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// @return `plural.group`, as error texts name it
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /// @param other another version of the same kind
    /// @return the kind, as served in that version
    public ResourceKind in(String other) {
        if (version.equals(other)) {
            return this;
        }
        return new ResourceKind(group, other, kind, plural, shortNames, namespaced);
    }

    /// @param namespace the namespace; ignored for kinds without
    /// @param name the object's name
    /// @return the key of one object of this kind
    public ResourceKey key(String namespace, String name) {
        return new ResourceKey(this, namespaced ? namespace : "", name);
    }

    /// Group, version and kind say which it is; the rest follows from them.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ResourceKind that
                        && kind.equals(that.kind)
                        && group.equals(that.group)
                        && version.equals(that.version));
    }

    @Override
    public int hashCode() {
        return (group.hashCode() * 31 + version.hashCode()) * 31 + kind.hashCode();
    }

    @Override
    public String toString() {
        return apiVersion() + " " + kind;
    }
}
