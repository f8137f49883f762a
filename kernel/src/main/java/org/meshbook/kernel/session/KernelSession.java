package org.meshbook.kernel.session;

import static java.lang.System.Logger.Level.WARNING;

import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.Envelope;
import org.meshbook.kernel.wire.Inbox;
import org.meshbook.kernel.wire.Outlet;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

/// One kernel's conversation with its front ends.
///
/// Requests of shell are handled one after the other on one thread, which also runs the cells;
/// those of control on another, so that interrupt and shutdown are served while a cell runs. Both
/// threads are fed by the sockets' thread through queues. The engine may still be starting: only
/// what needs it waits for it.
public final class KernelSession implements Inbox {
    private static final System.Logger LOG = System.getLogger(KernelSession.class.getName());
    private static final Duration CLOSING = Duration.ofMillis(1500);

    /// What a session tells about its kernel.
    ///
    /// @param version of Meshbook
    /// @param java version of Java
    /// @param ports name to number, as `shell_port`
    public record About(String version, String java, Map<String, Integer> ports) {}

    private final About about;
    private final Outbox outbox;
    private final Dispatch dispatch;
    private final InputDesk input;
    private final Conversations conversations;
    private final Execution execution;
    private final ScheduledThreadPoolExecutor timer;
    private final LinkedBlockingQueue<Runnable> shell = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Runnable> control = new LinkedBlockingQueue<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean leave;

    /// @param outlet takes what is sent
    /// @param engine runs cells, once it is there
    /// @param about the kernel
    public KernelSession(Outlet outlet, Future<CellEngine> engine, About about) {
        this.about = about;
        this.outbox = new Outbox(outlet);
        this.dispatch = new Dispatch(outbox);
        this.input = new InputDesk(outbox);
        this.conversations = new Conversations(outbox);
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("meshbook-flush").factory());
        var aborts = new Aborts(action -> outlet.whenCaughtUp(() -> shell.add(action)));
        this.execution = new Execution(outbox, engine, input, conversations, timer, aborts);
    }

    /// Starts both threads and says so on iopub.
    public void start() {
        // Threads that cells start inherit the group: an interrupt of it must meet none of ours.
        var cells = new ThreadGroup("meshbook-cells");
        Thread.ofPlatform().group(cells).daemon().name("meshbook-shell").start(() -> work(shell));
        Thread.ofPlatform().daemon().name("meshbook-control").start(() -> work(control));
        outbox.announce(Publication.Status.STARTING);
    }

    @Override
    public void received(Channel channel, Envelope envelope) {
        switch (channel) {
            case SHELL -> shell.add(() -> dispatch.serve(channel, envelope, this::answer));
            case CONTROL -> control.add(() -> dispatch.serve(channel, envelope, this::command));
            case STDIN -> {
                var arrived = dispatch.decode(channel, envelope);
                if (arrived != null && arrived.request() instanceof Request.Input(var value)) {
                    input.answered(value);
                }
            }
            case IOPUB, HEARTBEAT -> LOG.log(WARNING, "channel={0} takes no messages", channel);
        }
    }

    @Override
    public Envelope welcome(String topic) {
        return outbox.announcement(new Publication.Welcome(topic));
    }

    /// Stops the running cell; no-op when idle.
    public void interrupt() {
        execution.interrupt();
    }

    /// Ends the session from outside, as when the front end is gone. Returns when the engine is
    /// closed, after 1.5 s at the latest.
    public void end() {
        close(false);
        ended.countDown();
    }

    /// Returns when the session has ended and its last message is queued.
    ///
    /// @throws InterruptedException if this thread is interrupted meanwhile
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    private void work(LinkedBlockingQueue<Runnable> queue) {
        while (ended.getCount() > 0) {
            try {
                queue.take().run();
            } catch (InterruptedException e) {
                LOG.log(System.Logger.Level.DEBUG, "a late interrupt of a cell", e);
            }
            if (leave) {
                ended.countDown();
            }
        }
    }

    private void answer(Parent parent, Request request) throws InterruptedException {
        switch (request) {
            case Request.Execute execute -> {
                if (execution.execute(parent, execute)) {
                    close(false);
                    leave = true;
                }
            }
            case Request.Complete(var code, var cursor) -> {
                var found = execution.engine().complete(code, cursor);
                reply(
                        parent,
                        new Reply.Completed(code, found.matches(), found.start(), found.end()));
            }
            case Request.Inspect(var code, var cursor, var detail) -> {
                var found = execution.engine().inspect(code, cursor, detail);
                reply(
                        parent,
                        new Reply.Inspected(
                                java.util.Optional.ofNullable(found).map(Shown::bundle)));
            }
            case Request.IsComplete(var code) -> {
                var found = execution.engine().completeness(code);
                reply(parent, new Reply.IsComplete(found.status(), found.indent()));
            }
            case Request.History(var query, var output) ->
                    reply(parent, new Reply.History(execution.history().find(query), output));
            case Request.CommInfo(var target) ->
                    reply(parent, new Reply.CommInfo(conversations.targets(target)));
            case Request.OnComm said -> {
                if (execution.converse(parent, said)) {
                    close(false);
                    leave = true;
                }
            }
            case Request.Input _ -> {}
            case Request.KernelInfo _,
                    Request.Connect _,
                    Request.Interrupt _,
                    Request.Shutdown _,
                    Request.Debug _ ->
                    common(Channel.SHELL, parent, request);
        }
    }

    private void command(Parent parent, Request request) {
        common(Channel.CONTROL, parent, request);
    }

    private void common(Channel channel, Parent parent, Request request) {
        switch (request) {
            case Request.KernelInfo _ ->
                    outbox.reply(
                            channel, parent, new Reply.KernelInfo(about.version(), about.java()));
            case Request.Connect _ ->
                    outbox.reply(channel, parent, new Reply.Connect(about.ports()));
            case Request.Interrupt _ -> {
                execution.interrupt();
                outbox.reply(channel, parent, new Reply.Interrupted());
            }
            case Request.Shutdown(var restart) -> {
                close(restart);
                outbox.reply(channel, parent, new Reply.ShutDown(restart));
                outbox.publish(parent, new Publication.Leaving(restart));
                leave = true;
            }
            case Request.Debug(var sequence, var command) ->
                    outbox.reply(channel, parent, new Reply.NoDebugger(sequence, command));
            case Request.Execute _,
                    Request.Complete _,
                    Request.Inspect _,
                    Request.IsComplete _,
                    Request.History _,
                    Request.CommInfo _,
                    Request.OnComm _,
                    Request.Input _ ->
                    LOG.log(
                            WARNING,
                            "channel={0} does not take type={1}",
                            channel,
                            parent.header().type());
        }
    }

    private void reply(Parent parent, Reply reply) {
        outbox.reply(Channel.SHELL, parent, reply);
    }

    /// Stops the running cell and closes the engine, in bounded time.
    private void close(boolean restart) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        execution.interrupt();
        conversations.closeAll();
        var closer =
                Thread.ofPlatform()
                        .daemon()
                        .name("meshbook-close")
                        .start(() -> execution.ready().ifPresent(engine -> engine.close(restart)));
        try {
            if (!closer.join(CLOSING)) {
                LOG.log(WARNING, "extensions still close after={0}; left alone", CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.shutdown();
    }
}
