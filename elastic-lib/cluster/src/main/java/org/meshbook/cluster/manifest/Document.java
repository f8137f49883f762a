package org.meshbook.cluster.manifest;

import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.node.ObjectNode;

/// One object of a manifest.
///
/// @param index the part of the text that it stands in, from 0; items of a `List` share one
/// @param root the object
/// @param repeated keys that come twice in one mapping; the last one counts
/// @param dropped where text begins that kubectl does not read, if there is any
public record Document(int index, Value root, List<Repeated> repeated, Optional<Place> dropped) {
    /// A key that its mapping has already.
    ///
    /// @param path the field, as `spec.template`
    /// @param place where it comes again
    /// @param first where it came first
    public record Repeated(String path, Place place, Place first) {}

    /// @return the object
    public Resource resource() {
        return new Resource((ObjectNode) root.json());
    }

    /// @return its kind in the version that it names, if it is a known one
    public Optional<ResourceKind> kind() {
        return Kinds.find(text("apiVersion"), text("kind"));
    }

    /// @param kind a kind
    /// @return whether it is one of those, in whatever version
    public boolean is(ResourceKind kind) {
        return kind().filter(k -> k.resource().equals(kind.resource())).isPresent();
    }

    /// @return its name
    public String name() {
        return text("metadata", "name");
    }

    /// @return its namespace, `default` if it names none
    public String namespace() {
        var named = text("metadata", "namespace");
        return named.isEmpty() ? "default" : named;
    }

    /// @param steps names of fields
    /// @return what lies there
    public Value at(String... steps) {
        return root.at(steps);
    }

    /// @param steps names of fields
    /// @return the text there
    public String text(String... steps) {
        return at(steps).text();
    }

    /// @param path a field as an API server names it, as `spec.resourceGroups[0].flavors` or
    ///   `metadata.labels[a/b]`
    /// @return what lies there
    public Value find(String path) {
        return Path.find(root, path);
    }
}
