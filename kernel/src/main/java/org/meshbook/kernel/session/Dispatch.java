package org.meshbook.kernel.session;

import static java.lang.System.Logger.Level.WARNING;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.protocol.BadMessage;
import org.meshbook.kernel.protocol.Failure;
import org.meshbook.kernel.protocol.MessageCodec;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.Drops;
import org.meshbook.kernel.wire.Envelope;

/// The way of one request on any channel: decoded, busy, handled, idle. Whatever goes wrong in
/// between ends in a log line or a reply, never in the thread.
final class Dispatch {
    private static final System.Logger LOG = System.getLogger(Dispatch.class.getName());

    /// Answers one request.
    @FunctionalInterface
    interface Handler {
        void handle(Parent parent, Request request) throws Exception;
    }

    private final Drops drops = new Drops(LOG);
    private final Outbox outbox;
    private final Statuses statuses;

    Dispatch(Outbox outbox) {
        this.outbox = outbox;
        this.statuses = new Statuses(outbox);
    }

    /// @return whom a message is from and what it is, or null if it cannot be told
    @Nullable Parent parent(Channel channel, Envelope envelope) {
        try {
            var header = MessageCodec.header(envelope.header());
            return new Parent(envelope.route(), header, envelope.header());
        } catch (BadMessage e) {
            drops.add(channel, "header", e.getMessage());
            return null;
        }
    }

    /// @return what is asked for, or null if that is not known or cannot be understood
    @Nullable Request request(Channel channel, Parent parent, Envelope envelope) {
        var type = parent.header().type();
        try {
            var known =
                    MessageCodec.request(
                            type, envelope.content(), envelope.metadata(), envelope.buffers());
            if (known.isEmpty()) {
                drops.add(channel, "type", "type '" + type + "' is not known");
            }
            return known.orElse(null);
        } catch (BadMessage.Incomplete e) {
            drops.add(channel, type, type + ": " + e.getMessage());
            if (channel != Channel.STDIN) {
                refuse(channel, parent, Shown.failure("BadRequest", e.getMessage()));
            }
            return null;
        } catch (BadMessage e) {
            drops.add(channel, "content", e.getMessage());
            return null;
        }
    }

    /// Leads one request from its content to its idle.
    @SuppressWarnings("CatchingUnchecked") // nothing that arrives may end a thread
    void serve(Channel channel, Parent parent, Envelope envelope, Handler handler) {
        try {
            var request = request(channel, parent, envelope);
            if (request != null) {
                handle(channel, parent, request, handler);
            }
        } catch (Throwable t) {
            LOG.log(WARNING, "type=" + parent.header().type() + " was lost", t);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // a failing handler must not end its channel
    private void handle(Channel channel, Parent parent, Request request, Handler handler) {
        // 1. busy  2. handle  3. idle, always and last
        statuses.busy(parent);
        try {
            handler.handle(parent, request);
        } catch (Throwable t) {
            LOG.log(WARNING, "type=" + parent.header().type() + " failed", t);
            fail(channel, parent, Shown.failure(t));
        } finally {
            statuses.idle(parent);
        }
    }

    /// Answers a request that nobody can take.
    void refuse(Channel channel, Parent parent, Failure why) {
        statuses.busy(parent);
        fail(channel, parent, why);
        statuses.idle(parent);
    }

    private void fail(Channel channel, Parent parent, Failure why) {
        var type = parent.header().type();
        if (type.endsWith("_request")) {
            outbox.reply(channel, parent, failed(type, why));
        }
    }

    /// @param type of a request that could not be answered
    /// @return what answers it
    static Reply failed(String type, Failure why) {
        return type.equals("execute_request")
                ? new Reply.ExecutionFailed(0, why)
                : new Reply.Failed(replyTo(type), why);
    }

    private static String replyTo(String type) {
        return type.substring(0, type.length() - "_request".length()) + "_reply";
    }
}
