package org.meshbook.elastic.controller.link;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.meshbook.elastic.controller.Membership;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.wire.proto.MembershipUpdate;
import org.meshbook.elastic.wire.proto.ProvisionSlices;

/// The newest membership, and those who want to hear of changes.
///
/// Changes are posted by the stream's thread and told on one thread of the board, in order.
public final class MembershipBoard {
    private static final System.Logger LOG = System.getLogger(MembershipBoard.class.getName());

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ExecutorService teller =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("meshbook-membership").factory());
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    // Guarded by the lock.
    private Membership newest = MembershipCodec.NOTHING;
    private Optional<ProvisionSlices> allocation = Optional.empty();
    private Optional<String> gone = Optional.empty();
    private long version;

    /// Who hears of what came after a version.
    private record Subscriber(BiConsumer<Membership, Optional<SliceEvent>> listener, long since) {}

    /// @return the newest membership
    public Membership newest() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    /// @return what is provisioned now
    public Optional<ProvisionSlices> allocation() {
        lock.lock();
        try {
            return allocation;
        } finally {
            lock.unlock();
        }
    }

    /// @return whether the head is gone for good
    public boolean isGone() {
        lock.lock();
        try {
            return gone.isPresent();
        } finally {
            lock.unlock();
        }
    }

    Slices.Subscription watch(BiConsumer<Membership, Optional<SliceEvent>> listener) {
        lock.lock();
        try {
            var first = newest;
            var subscriber = new Subscriber(listener, version);
            onTeller(
                    () -> {
                        tell(listener, first, Optional.empty());
                        subscribers.add(subscriber);
                    });
            return () -> onTeller(() -> subscribers.remove(subscriber));
        } finally {
            lock.unlock();
        }
    }

    void post(MembershipUpdate update) {
        lock.lock();
        try {
            allocation =
                    update.hasAllocation() ? Optional.of(update.getAllocation()) : Optional.empty();
        } finally {
            lock.unlock();
        }
        var event =
                update.hasEvent()
                        ? MembershipCodec.event(update.getEvent())
                        : Optional.<SliceEvent>empty();
        publish(MembershipCodec.membership(update), event);
    }

    /// Tells every slice as lost: a worker never outlives its head.
    void headGone(String cause) {
        lock.lock();
        try {
            gone = Optional.of(cause);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (var slice : newest().view().slices()) {
            boolean expected =
                    slice.state() == SliceState.RETURNING || slice.state() == SliceState.QUEUED;
            if (slice.state().holds() || expected) {
                lose(slice, cause);
            }
        }
    }

    /// Waits until the membership is as wanted.
    ///
    /// @param wanted what to wait for
    /// @param within how long at most
    /// @return whether it was in time
    /// @throws HeadUnavailable if the head is gone
    /// @throws InterruptedException if the thread is interrupted
    public boolean await(Predicate<Membership> wanted, Duration within)
            throws InterruptedException {
        long left = within.toNanos();
        lock.lock();
        try {
            while (!wanted.test(newest)) {
                if (gone.isPresent()) {
                    throw new HeadUnavailable(gone.get());
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        teller.shutdown();
    }

    private void lose(SliceView slice, String cause) {
        var at = Instant.now();
        var before = newest();
        var hosts = slice.hosts().stream().map(host -> new HostView(0, host.devices(), 0)).toList();
        var lost = new SliceView(slice.id(), slice.generation(), SliceState.LOST, hosts, at, cause);
        var slices = new ArrayList<>(before.view().slices());
        slices.replaceAll(other -> other.id() == slice.id() ? lost : other);
        var workers =
                before.workers().stream().filter(worker -> worker.slice() != slice.id()).toList();
        publish(
                new Membership(new ClusterView(before.view().generation() + 1, slices), workers),
                slice.state().holds()
                        ? Optional.of(
                                new SliceEvent.Lost(
                                        at,
                                        slice.id(),
                                        slice.generation(),
                                        LossKind.LINK_CLOSED,
                                        cause))
                        : Optional.empty());
    }

    private void publish(Membership membership, Optional<SliceEvent> event) {
        lock.lock();
        try {
            newest = membership;
            long number = ++version;
            changed.signalAll();
            onTeller(
                    () ->
                            subscribers.stream()
                                    .filter(subscriber -> subscriber.since() < number)
                                    .forEach(s -> tell(s.listener(), membership, event)));
        } finally {
            lock.unlock();
        }
    }

    private static void tell(
            BiConsumer<Membership, Optional<SliceEvent>> listener,
            Membership membership,
            Optional<SliceEvent> event) {
        try {
            listener.accept(membership, event);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a listener to membership failed", e);
        }
    }

    private void onTeller(Runnable task) {
        try {
            teller.execute(task);
        } catch (RejectedExecutionException closed) {
            // The session is closed; nobody listens any more.
        }
    }
}
