package org.meshbook.kernel.session;

import static java.lang.System.Logger.Level.WARNING;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.protocol.BadMessage;
import org.meshbook.kernel.protocol.MessageCodec;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;
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

    private final Outbox outbox;

    Dispatch(Outbox outbox) {
        this.outbox = outbox;
    }

    @SuppressWarnings("CatchingUnchecked") // a failing handler must not end its channel
    void serve(Channel channel, Envelope envelope, Handler handler) {
        var arrived = decode(channel, envelope);
        if (arrived == null) {
            return;
        }
        // 1. busy  2. handle  3. idle, always and last
        var parent = arrived.parent();
        outbox.publish(parent, Publication.Status.BUSY);
        try {
            handler.handle(parent, arrived.request());
        } catch (Throwable t) {
            LOG.log(WARNING, "type=" + parent.header().type() + " failed", t);
            var type = parent.header().type().replace("_request", "_reply");
            outbox.reply(channel, parent, new Reply.Failed(type, Shown.failure(t)));
        } finally {
            outbox.publish(parent, Publication.Status.IDLE);
        }
    }

    /// @return the request and whom to answer, or null if there is none in it
    @Nullable Arrived decode(Channel channel, Envelope envelope) {
        try {
            var header = MessageCodec.header(envelope.header());
            var parent = new Parent(envelope.route(), header, envelope.header());
            var known =
                    MessageCodec.request(
                            header.type(),
                            envelope.content(),
                            envelope.metadata(),
                            envelope.buffers());
            if (known.isEmpty()) {
                LOG.log(WARNING, "channel={0} type={1} is not known", channel, header.type());
                return null;
            }
            return new Arrived(parent, known.get());
        } catch (BadMessage e) {
            LOG.log(WARNING, "channel={0} dropped a message: {1}", channel, e.getMessage());
            return null;
        }
    }

    /// A request, decoded.
    record Arrived(Parent parent, Request request) {}
}
