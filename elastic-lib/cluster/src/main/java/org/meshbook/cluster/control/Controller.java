package org.meshbook.cluster.control;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;

/// Brings what is into line with what is wanted, one object at a time.
///
/// All calls come from the loop's thread, one after the other.
public interface Controller {
    /// @return its name, for logs
    String name();

    /// @return the kinds whose changes it hears of
    Set<ResourceKind> watches();

    /// Hears of a change; may keep an index of its own.
    ///
    /// @param event the change
    /// @return the objects to look at because of it
    List<ResourceKey> affected(WatchEvent event);

    /// Brings one object into line. It may be gone by now.
    ///
    /// @param key which object
    /// @return when to look at it again though nothing changes; empty for never
    /// @throws org.meshbook.cluster.ApiException if a write was refused; it is tried again, at once
    ///   after a conflict and later after anything else
    Optional<Duration> reconcile(ResourceKey key);

    /// Is told once how to have an object looked at when something outside of the cluster happened,
    /// such as the end of a process.
    ///
    /// @param nudge names an object that is there; any thread may call it
    default void wakeBy(Consumer<ResourceKey> nudge) {}
}
