package org.meshbook.elastic.slices;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostParts;
import org.meshbook.elastic.slices.hosts.HostResults;

/// The port to an allocation of slices. All methods are thread-safe.
public interface Slices {
    /// @return all devices of the allocation in order of id, lost ones included; never changes
    List<Device> devices();

    /// @return membership now; no round trip
    ClusterView view();

    /// Tells every change of membership, in order, on one thread of the port; listeners must not
    /// block.
    ///
    /// @param listener called once an event, after [#view()] shows it
    /// @return closes the subscription
    Subscription watch(Consumer<SliceEvent> listener);

    /// Computes a known value on every device of each slice: dispatches to all first, then waits
    /// for each.
    ///
    /// @param slices indices
    /// @param timeout for each slice
    /// @return one entry for each index asked
    /// @throws InterruptedException if the thread is interrupted
    Map<Integer, Health> probe(Set<Integer> slices, Duration timeout) throws InterruptedException;

    /// Puts an array, from this host or from any mesh, where a sharding says; never waits for a
    /// device.
    ///
    /// @param array a host array or a placed one
    /// @param target where to
    /// @return the placed array
    Array put(Array array, Sharding target);

    /// Names shards that lie on devices anew, without moving any: each device of the target holds a
    /// shard of exactly one of the sources already, and it has the size that the target asks for.
    /// Never waits for a device. What a source lost elsewhere is no loss of the new array.
    ///
    /// @param type of the new array
    /// @param target where its shards lie
    /// @param sources placed arrays
    /// @return the array; it shares the memory of the sources' shards
    /// @throws org.meshbook.elastic.UsageError if a device holds none or several of them, or one of
    ///   another size
    Array alias(ArrayType type, Sharding target, List<Array> sources);

    /// Frees arrays on purpose; using one later is a [org.meshbook.elastic.UsageError].
    ///
    /// @param arrays placed arrays
    /// @param why completes "it was freed ...", as "with attempt 3"
    void free(List<Array> arrays, String why);

    /// @param array a placed array
    /// @return where its shards lie; no round trip
    /// @throws org.meshbook.elastic.UsageError if it is a host array or traced
    Sharding shardingOf(Array array);

    /// Waits until every shard of some arrays is computed and in place, without copying it here.
    ///
    /// @param arrays placed arrays
    /// @param timeout how long at most
    /// @return whether all are
    /// @throws SliceLost if a shard is lost
    /// @throws InterruptedException if the thread is interrupted
    boolean awaitReady(List<Array> arrays, Duration timeout) throws InterruptedException;

    /// Waits until every run that was dispatched so far is done or has failed; for accounts of
    /// time.
    ///
    /// @param timeout how long at most
    /// @return whether all are
    /// @throws InterruptedException if the thread is interrupted
    boolean awaitRuns(Duration timeout) throws InterruptedException;

    /// Says that nothing is needed any more of slices that announced that they leave; others are
    /// not touched. Never waits for a device.
    ///
    /// @param slices indices
    void letGo(Set<Integer> slices);

    /// Says how far the program is, so that errors can name the step in which a slice was lost.
    ///
    /// @param step the one that was completed last; -1 if that is not known
    void reached(long step);

    /// Starts a scope: arrays made from now on, on any thread, belong to it until it is closed.
    ///
    /// @param name shown in errors, as "attempt 3"
    /// @return the scope
    Scope openScope(String name);

    /// Starts copies of arrays into host memory of the workers that hold their shards; never waits
    /// for a device.
    ///
    /// @param arrays placed arrays
    /// @return the copy under way
    HostCopy copyToHosts(List<Array> arrays);

    /// Calls a function on hosts, beside the shards of some arrays; never waits for a device or a
    /// host.
    ///
    /// @param call what, where, with what
    /// @return the call under way
    HostResults onHosts(HostCall call);

    /// Has hosts make parts of arrays in their memory, from files as a rule, and moves them where
    /// they are wanted; waits until they are placed. Takes memory for the parts until then.
    ///
    /// @param parts who makes what
    /// @param targets where to, one an array
    /// @return the arrays
    /// @throws org.meshbook.elastic.slices.hosts.HostCallFailed if a function threw
    /// @throws SliceLost if a host that makes parts or a target is lost meanwhile
    /// @throws InterruptedException if the thread is interrupted
    List<Array> assemble(HostParts parts, List<Sharding> targets) throws InterruptedException;

    /// @return names that outlive this program
    /// @throws org.meshbook.elastic.UsageError if nobody keeps names for these slices
    default Names names() {
        throw new UsageError("nobody keeps names for these slices; provision them by %%slices");
    }

    /// @return time
    Clock clock();

    /// @return what recoveries and steps cost
    Timeline timeline();

    /// Ends a subscription.
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /// Frees the arrays made while it was open.
    interface Scope extends AutoCloseable {
        /// Takes an array out of the scope: it outlives it.
        ///
        /// @param array the array
        void keep(Array array);

        /// @param array an array
        /// @return whether it belongs to this scope, so that [#close()] would free it
        boolean holds(Array array);

        /// Ends the scope without freeing anything: its arrays live on as if made outside.
        /// Idempotent; a [#close()] after it does nothing.
        void leave();

        /// Frees the device memory of the scope's arrays; using one later is a
        /// [org.meshbook.elastic.UsageError] that names the scope and the array.
        @Override
        void close();
    }
}
