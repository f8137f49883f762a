package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.transport.Fault;

/// Numbers operations and remembers those that some worker has not finished. Thread-safe.
///
/// Every worker must see operations in the order of their numbers, else devices could wait for each
/// other in a circle; so a number is taken and all its commands are sent under one lock. Nothing
/// waits under that lock. What is freed is freed between operations, for the same reason.
final class Operations {
    /// Runs under way before a dispatch waits for the oldest.
    private static final int WINDOW = 64;

    private final Progress progress;
    private final ReentrantLock order = new ReentrantLock();
    private final long first;
    private final AtomicLong ids;
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();

    /// Slices that are suspended, or about to be: nothing is dispatched until they are back.
    private final Set<Integer> held = ConcurrentHashMap.newKeySet();

    private volatile long reached = -1;
    private long next;

    /// @param first where numbers begin; those of a client that comes later are greater
    Operations(Progress progress, long first) {
        this.progress = progress;
        this.first = first;
        this.next = first;
        this.ids = new AtomicLong(first);
    }

    /// One operation that some workers have not finished.
    final class Pending {
        private final long op;
        private final long step;
        private final boolean run;
        private final List<ArrayState> outputs;
        private final Set<WorkerLink> waiting = new HashSet<>();
        private final List<Runnable> whenDone = new ArrayList<>(1);
        private @Nullable Fault fault;
        private volatile boolean done;
        private volatile boolean sent;

        private Pending(long op, boolean run, List<ArrayState> outputs) {
            this.op = op;
            this.step = step();
            this.run = run;
            this.outputs = outputs;
        }

        boolean done() {
            return done;
        }

        /// @return whether any worker was asked
        boolean sent() {
            return sent;
        }

        /// @return the first fault that a worker reported
        synchronized Optional<Fault> fault() {
            return Optional.ofNullable(fault);
        }

        /// @return workers that have not reported; who a wait for it waits for
        synchronized Set<WorkerLink> waiting() {
            return Set.copyOf(waiting);
        }

        private synchronized boolean waitsFor(Collection<WorkerLink> links) {
            return !Collections.disjoint(waiting, links);
        }

        /// Runs something when it is done, on the thread that finds out, or at once if it is.
        void whenDone(Runnable action) {
            synchronized (this) {
                if (!done) {
                    whenDone.add(action);
                    return;
                }
            }
            action.run();
        }

        private void finished(WorkerLink link, Optional<Fault> found) {
            found.ifPresent(f -> outputs.forEach(output -> output.poison(f)));
            List<Runnable> actions;
            synchronized (this) {
                if (fault == null) {
                    fault = found.orElse(null);
                }
                if (!waiting.remove(link) || !waiting.isEmpty()) {
                    return;
                }
                done = true;
                actions = List.copyOf(whenDone);
            }
            end(this);
            actions.forEach(Runnable::run);
        }
    }

    /// @param step the program's last completed one; -1 if not known
    void reached(long step) {
        reached = step;
    }

    /// @return the step that is being dispatched; -1 if not known
    private long step() {
        long last = reached;
        return last < 0 ? -1 : last + 1;
    }

    /// @return the step of the oldest operation that some workers have not finished; -1 if not
    ///   known
    long stepOn(Collection<WorkerLink> links) {
        return pending.values().stream()
                .filter(operation -> operation.waitsFor(links))
                .min(Comparator.comparingLong(operation -> operation.op))
                .map(operation -> operation.step)
                .orElse(step());
    }

    /// @return a number for an array, a host copy or a request
    long newId() {
        return ids.incrementAndGet();
    }

    /// @return operations from here on are this client's
    long first() {
        return first;
    }

    /// Waits while too many runs are under way.
    void awaitRoom() {
        try {
            progress.await(Progress.FOREVER, () -> runs.get() < WINDOW);
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for earlier runs to finish", e);
        }
    }

    /// Lets nothing be dispatched any more, until a slice is back.
    void hold(int slice) {
        order.lock();
        try {
            held.add(slice);
        } finally {
            order.unlock();
        }
    }

    void release(int slice) {
        if (held.remove(slice)) {
            progress.signal();
        }
    }

    /// @return whether no operation waits for some workers
    boolean quiet(Collection<WorkerLink> links) {
        return pending.values().stream().noneMatch(operation -> operation.waitsFor(links));
    }

    /// Waits until no slice is suspended, and keeps it so until the lock is given back.
    private void enter() {
        while (true) {
            awaitOpen();
            order.lock();
            if (held.isEmpty()) {
                return;
            }
            order.unlock();
        }
    }

    /// Waits while slices are suspended.
    void awaitOpen() {
        try {
            progress.await(Progress.FOREVER, held::isEmpty);
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for suspended slices " + held + " to be resumed", e);
        }
    }

    /// Asks something of workers that is no operation, while no slice is suspended.
    void ask(Runnable question) {
        enter();
        try {
            question.run();
        } finally {
            order.unlock();
        }
    }

    /// Takes the next number and sends the operation's commands.
    ///
    /// @param run whether it counts as a run under way
    /// @param outputs arrays that it makes
    /// @param plan says which workers take part, under the lock: a slice that is lost by then is
    ///   not sent anything, and those lost later are told of to the others with a later number
    /// @param send sends the commands
    /// @return the operation
    Pending dispatch(
            boolean run,
            List<ArrayState> outputs,
            Supplier<? extends Collection<WorkerLink>> plan,
            LongConsumer send) {
        enter();
        Pending operation;
        Collection<WorkerLink> links;
        try {
            operation = new Pending(next++, run, outputs);
            links = plan.get();
            if (links.isEmpty()) {
                operation.done = true;
                return operation;
            }
            links.forEach(WorkerLink::betweenOperations);
            operation.waiting.addAll(links);
            operation.sent = true;
            outputs.forEach(output -> output.madeBy(operation));
            if (run) {
                runs.incrementAndGet();
            }
            pending.put(operation.op, operation);
            send(operation, send);
        } finally {
            order.unlock();
        }
        // A link that ended meanwhile has told of its end to those that were pending then.
        links.stream().filter(WorkerLink::ended).forEach(link -> ended(link, operation));
        return operation;
    }

    private void send(Pending operation, LongConsumer send) {
        boolean sent = false;
        try {
            send.accept(operation.op);
            sent = true;
        } finally {
            if (!sent) {
                operation.done = true;
                end(operation);
            }
        }
    }

    /// Sends commands that belong between operations.
    ///
    /// @param send gets the number of the next operation
    void between(LongConsumer send) {
        order.lock();
        try {
            send.accept(next);
        } finally {
            order.unlock();
        }
    }

    void finished(WorkerLink link, long op, Optional<Fault> fault) {
        var operation = pending.get(op);
        if (operation != null) {
            operation.finished(link, fault);
        }
    }

    /// A worker is gone: what it has not finished, it never will. Arrays that lay there are lost by
    /// their stamp; others hear from the workers that waited for it.
    void ended(WorkerLink link) {
        pending.values().forEach(operation -> ended(link, operation));
    }

    private static void ended(WorkerLink link, Pending operation) {
        operation.finished(link, Optional.empty());
    }

    private void end(Pending operation) {
        pending.remove(operation.op);
        if (operation.run) {
            runs.decrementAndGet();
        }
        progress.signal();
    }

    /// @return whether no run is in flight
    boolean awaitRuns(Duration timeout) throws InterruptedException {
        return progress.await(timeout, () -> runs.get() == 0);
    }
}
