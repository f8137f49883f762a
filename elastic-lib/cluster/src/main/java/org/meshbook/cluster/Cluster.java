package org.meshbook.cluster;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A place that keeps objects by the rules of the Kubernetes API and tells of their changes.
///
/// Threads: any. A refused request throws [ApiException] and changes nothing.
public interface Cluster {
    /// @param key which object
    /// @return it, if there is one
    Optional<Resource> find(ResourceKey key);

    /// @param kind kind
    /// @param namespace namespace; `""` means all
    /// @return its objects by namespace and name
    List<Resource> list(ResourceKind kind, String namespace);

    /// @param owner an object, as stored
    /// @param kind kind
    /// @return the objects of that kind that name it as an owner, in no order
    List<Resource> ownedBy(Resource owner, ResourceKind kind);

    /// @param object what to create; without a name if `generateName` is set
    /// @param options how
    /// @return it, as stored
    Resource create(Resource object, WriteOptions options);

    /// Replaces an object, its status left as it is. With a `resourceVersion`, only if nobody
    /// changed it since.
    ///
    /// @param object the whole object
    /// @param options how
    /// @return it, as stored
    Resource update(Resource object, WriteOptions options);

    /// Replaces an object's status, all else left as it is.
    ///
    /// @param object the object with its new status
    /// @return it, as stored
    Resource updateStatus(Resource object);

    /// Creates an object or merges it into what is there, as `kubectl apply` does.
    ///
    /// @param object what a person wrote
    /// @param options how
    /// @return it, as stored
    Resource apply(Resource object, WriteOptions options);

    /// Deletes an object. One that finalizers hold, and a pod that is bound to a node and has not
    /// ended, is only marked: the pod's node ends it within its grace period and then removes it.
    ///
    /// @param key which object
    /// @param propagation what becomes of the objects that it owns
    void delete(ResourceKey key, Propagation propagation);

    /// Deletes an object with a grace period of 0: a pod is gone at once. Finalizers hold all the
    /// same.
    ///
    /// @param key which object
    void remove(ResourceKey key);

    /// Tells of all objects of a kind that are there, as added, and then of each change, in order.
    ///
    /// @param kind kind
    /// @param listener called by one thread at a time; quick
    /// @return closes the watch
    Watch watch(ResourceKind kind, Consumer<WatchEvent> listener);

    /// Goes on with a watch that ended: tells of each change after a version, in order.
    ///
    /// @param kind kind
    /// @param since `resourceVersion` of the last change that was heard
    /// @param listener as for [#watch(ResourceKind, Consumer)]
    /// @return closes the watch
    /// @throws ApiException 410 `Expired` if changes since then are forgotten: list again
    default Watch watch(ResourceKind kind, long since, Consumer<WatchEvent> listener) {
        throw ApiException.expired(since, since);
    }

    /// How to write.
    ///
    /// @param validation what to do with unknown fields
    /// @param dryRun whether to answer only, and change nothing
    /// @param warnings hears the server's warnings
    record WriteOptions(Validation validation, boolean dryRun, Consumer<String> warnings) {
        /// What controllers use: fields that are not known are left out in silence.
        public static final WriteOptions PLAIN =
                new WriteOptions(Validation.IGNORE, false, _ -> {});
    }

    /// What becomes of the objects that a deleted one owns.
    enum Propagation {
        /// They go first, then it.
        FOREGROUND,
        /// It goes first, they follow.
        BACKGROUND,
        /// They stay, without an owner.
        ORPHAN
    }

    /// A watch that is under way.
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
