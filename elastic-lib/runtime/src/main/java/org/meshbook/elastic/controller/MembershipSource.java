package org.meshbook.elastic.controller;

import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.Slices;

/// Where membership comes from: the link to the head, or a fixed one in tests.
public interface MembershipSource {
    /// @return the newest membership
    Membership now();

    /// Tells each change on one thread, in order; called at once with the newest membership and no
    /// event.
    ///
    /// @param listener must not block
    /// @return ends it
    Slices.Subscription watch(BiConsumer<Membership, Optional<SliceEvent>> listener);

    /// Lets slices go that announced that they leave.
    ///
    /// @param slices indices
    void letGo(Set<Integer> slices);

    /// @return the token that workers ask for
    String token();

    /// @return whether it is an observer's, who can only look and fetch
    default boolean observes() {
        return false;
    }

    /// @return the first number of arrays and operations that nobody used here before
    default long firstNumber() {
        return System.currentTimeMillis() << 20;
    }

    /// @return what is published on these slices
    /// @throws org.meshbook.elastic.UsageError if nobody keeps names here
    default NameSource names() {
        throw new UsageError("nobody keeps names for these slices; open a session");
    }
}
