package org.meshbook.kernel.session;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.comm.Conversations;
import org.meshbook.kernel.history.History;
import org.meshbook.kernel.protocol.MessageCodec;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.Envelope;
import org.meshbook.kernel.wire.Inbox;
import org.meshbook.kernel.wire.Outlet;

/// One kernel's conversation with its front ends.
///
/// Cells and callbacks of comms are run by the shell that they are sent to, one after the other;
/// questions are answered beside them; what comes on control is taken by another thread, so that
/// interrupt and shutdown are served while a cell runs. All are fed by the sockets' thread through
/// queues. The engine may still be starting: only what needs it waits for it.
public final class KernelSession implements Inbox {
    private static final System.Logger LOG = System.getLogger(KernelSession.class.getName());
    private static final Duration CLOSING = Duration.ofMillis(1500);

    /// What a session tells about its kernel.
    ///
    /// @param version of Meshbook
    /// @param java version of Java
    /// @param ports name to number, as `shell_port`
    public record About(String version, String java, Map<String, Integer> ports) {}

    private final Common common;
    private final Outbox outbox;
    private final Dispatch dispatch;
    private final Lanes lanes;
    private final Commands commands;
    private final Answers answers;
    private final ExecutorService control =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("meshbook-control").factory());
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean leave;

    /// @param outlet takes what is sent
    /// @param engine runs cells, once it is there
    /// @param about the kernel
    public KernelSession(Outlet outlet, Future<CellEngine> engine, About about) {
        this(outlet, engine, about, History.none());
    }

    /// @param outlet takes what is sent
    /// @param engine runs cells, once it is there
    /// @param about the kernel
    /// @param history where cells are remembered; closed with this
    public KernelSession(Outlet outlet, Future<CellEngine> engine, About about, History history) {
        var timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("meshbook-flush").factory());
        outbox = new Outbox(outlet);
        dispatch = new Dispatch(outbox);
        common =
                new Common(
                        outbox,
                        engine,
                        new InputDesk(outbox),
                        new Conversations(outbox::announce),
                        timer,
                        history);
        var way = new Way();
        lanes = new Lanes(id -> new Lane(id, common, dispatch, outlet, way));
        commands = new Commands(about, common, lanes, way);
        answers = new Answers(common, dispatch, commands, way);
    }

    /// Starts the main shell and says so on iopub.
    public void start() {
        lanes.start();
        outbox.announce(Publication.Status.STARTING);
    }

    @Override
    public void received(Channel channel, Envelope envelope) {
        var parent = dispatch.parent(channel, envelope);
        if (parent == null) {
            return;
        }
        switch (channel) {
            case SHELL -> shell(parent, envelope);
            case CONTROL -> control.execute(() -> command(parent, envelope));
            case STDIN -> {
                if (dispatch.request(channel, parent, envelope)
                        instanceof Request.Input(var value)) {
                    var named = MessageCodec.parent(envelope.parent());
                    common.input().answered(parent.header(), named, value);
                }
            }
            case IOPUB, HEARTBEAT -> LOG.log(WARNING, "channel={0} takes no messages", channel);
        }
    }

    private void shell(Parent parent, Envelope envelope) {
        var lane = lanes.find(parent.header().subshell());
        var taken =
                switch (parent.header().type()) {
                    case "execute_request", "comm_open", "comm_msg", "comm_close" ->
                            lane.isPresent() && lane.get().add(parent, envelope);
                    default -> {
                        lane.ifPresent(found -> answers.ask(parent, envelope, found));
                        yield lane.isPresent();
                    }
                };
        if (!taken) {
            answers.refuse(parent, envelope);
        }
    }

    private void command(Parent parent, Envelope envelope) {
        dispatch.serve(
                Channel.CONTROL,
                parent,
                envelope,
                (from, request) -> commands.take(Channel.CONTROL, from, request));
        settle();
    }

    @Override
    public Envelope welcome(String topic) {
        return outbox.announcement(new Publication.Welcome(topic));
    }

    /// Stops the main shell's cell; no-op when idle.
    public void interrupt() {
        lanes.interrupt();
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

    private final class Way implements Departure {
        @Override
        public void leave(boolean restart) {
            close(restart);
            leave = true;
        }

        @Override
        public void settled() {
            settle();
        }
    }

    private void settle() {
        if (leave) {
            ended.countDown();
        }
    }

    /// Stops what runs and closes the engine, in bounded time.
    private void close(boolean restart) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        lanes.end();
        common.conversations().closeAll();
        var closer =
                Thread.ofPlatform()
                        .daemon()
                        .name("meshbook-close")
                        .start(() -> closeEngine(restart));
        try {
            if (!closer.join(CLOSING)) {
                LOG.log(WARNING, "extensions still close after={0}; left alone", CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        common.history().close();
        common.timer().shutdown();
    }

    private void closeEngine(boolean restart) {
        common.ready().ifPresent(engine -> engine.close(restart));
    }
}
