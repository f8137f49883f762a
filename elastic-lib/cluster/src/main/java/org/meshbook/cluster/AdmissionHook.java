package org.meshbook.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Looks at what is about to be written, as an admission webhook does: may change it, may refuse
/// it.
///
/// An object's status is never shown to it. Called by any thread, several at once; quick.
public interface AdmissionHook {
    /// @return the webhook's name without its first letter, such as `jobset.kb.io`; a refusal names
    ///   it with `v` before
    String name();

    /// @return the kinds that it looks at
    Set<ResourceKind> kinds();

    /// @param review what is to be written
    /// @return what to write instead
    default Resource mutate(Review review) {
        return review.object();
    }

    /// @param review what is to be written, as changed by all hooks
    /// @return what is wrong with it, each as the server words it; nothing if it may be written
    default List<String> validate(Review review) {
        return List.of();
    }

    /// A write that is looked at.
    ///
    /// @param object what is to be written
    /// @param before what is there; empty if it is to be created
    record Review(Resource object, Optional<Resource> before) {}
}
