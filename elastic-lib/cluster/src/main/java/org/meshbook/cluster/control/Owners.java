package org.meshbook.cluster.control;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who controls an object, and whom an object controls.
public final class Owners {
    private Owners() {}

    /// @param child an object
    /// @return the object that controls it; it may be gone, or another one may have its name by now
    public static Optional<ResourceKey> of(Resource child) {
        return reference(child)
                .flatMap(
                        owner ->
                                Kinds.find(
                                        owner.path("apiVersion").asString(""),
                                        owner.path("kind").asString("")))
                .flatMap(kind -> Kinds.named(kind.resource()))
                .map(
                        kind ->
                                kind.key(
                                        child.namespace(),
                                        reference(child).orElseThrow().path("name").asString("")));
    }

    /// @param child an object
    /// @param kind a kind
    /// @return the object of that kind that controls it, as a list of one or none
    public static List<ResourceKey> of(Resource child, ResourceKind kind) {
        return of(child).filter(key -> key.kind().equals(kind)).stream().toList();
    }

    /// @param child an object
    /// @param owner another
    /// @return whether it is controlled by that very one
    public static boolean controls(Resource owner, Resource child) {
        return reference(child)
                .filter(r -> r.path("uid").asString("").equals(owner.uid()))
                .isPresent();
    }

    /// Makes an object the one that controls another.
    ///
    /// @param child the other, edited
    /// @param owner the controlling one, as stored
    public static void put(ObjectNode child, Resource owner) {
        child.withObjectProperty("metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", owner.kind().apiVersion())
                .put("kind", owner.kind().kind())
                .put("name", owner.name())
                .put("uid", owner.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /// @param cluster where
    /// @param owner the controlling one
    /// @param kind kind of its children
    /// @return those that it controls, by name
    public static List<Resource> children(Cluster cluster, Resource owner, ResourceKind kind) {
        return cluster.ownedBy(owner, kind).stream()
                .filter(child -> controls(owner, child))
                .sorted(Comparator.comparing(Resource::key))
                .toList();
    }

    private static Optional<JsonNode> reference(Resource child) {
        return child.list("metadata", "ownerReferences").stream()
                .filter(r -> r.path("controller").asBoolean(false))
                .findFirst();
    }
}
