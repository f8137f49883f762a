package org.meshbook.kernel.session;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.Envelope;
import org.meshbook.kernel.wire.Outlet;

/// One shell, the main one or a subshell: its cells and callbacks, one after the other on a thread
/// of its own, with a count, a history and aborts of its own.
final class Lane {
    private static final System.Logger LOG = System.getLogger(Lane.class.getName());

    private final Optional<String> id;
    private final Dispatch dispatch;
    private final Execution execution;
    private final Departure departure;
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean over;

    /// @param id of a subshell; empty for the main shell
    /// @param departure told when a cell asks the kernel to leave
    Lane(
            Optional<String> id,
            Common common,
            Dispatch dispatch,
            Outlet outlet,
            Departure departure) {
        this.id = id;
        this.dispatch = dispatch;
        this.departure = departure;
        var aborts = new Aborts(action -> outlet.whenCaughtUp(() -> queue.add(action)));
        this.execution = new Execution(common, aborts);
    }

    /// Starts the thread. Threads that cells start inherit its group, which holds none of ours: an
    /// interrupt of it meets none of those.
    void start(ThreadGroup cells) {
        var name = id.isEmpty() ? "meshbook-shell" : "meshbook-subshell " + id.get();
        Thread.ofPlatform().group(cells).daemon().name(name).start(this::work);
    }

    Optional<String> id() {
        return id;
    }

    Execution execution() {
        return execution;
    }

    /// @param parent of a cell or a comm's message
    /// @return false if this shell has ended
    boolean add(Parent parent, Envelope envelope) {
        var cell = parent.header().type().equals("execute_request");
        lock.lock();
        try {
            if (over) {
                return false;
            }
            if (cell) {
                execution.arrives();
            }
            queue.add(() -> serve(parent, envelope, cell));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Stops what runs and aborts what is queued, and takes nothing more.
    void end() {
        lock.lock();
        try {
            over = true;
            queue.add(() -> {});
        } finally {
            lock.unlock();
        }
        execution.close();
    }

    private boolean isOver() {
        lock.lock();
        try {
            return over && queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // nothing may end the thread
    private void work() {
        while (!isOver()) {
            try {
                queue.take().run();
            } catch (InterruptedException e) {
                LOG.log(DEBUG, "a late interrupt of a cell", e);
            } catch (Throwable t) {
                // As when memory is short: the next cell may have more of it.
                LOG.log(WARNING, "shell: went on after a failure", t);
            }
            departure.settled();
        }
    }

    private void serve(Parent parent, Envelope envelope, boolean cell) {
        if (cell) {
            execution.take();
        }
        try {
            dispatch.serve(Channel.SHELL, parent, envelope, this::handle);
        } finally {
            execution.settle();
        }
    }

    private void handle(Parent parent, Request request) {
        var exit =
                switch (request) {
                    case Request.Execute execute -> execution.execute(parent, execute);
                    case Request.OnComm said -> execution.converse(parent, said);
                    default -> false; // nothing else is routed here
                };
        if (exit) {
            departure.leave(false);
        }
    }
}
