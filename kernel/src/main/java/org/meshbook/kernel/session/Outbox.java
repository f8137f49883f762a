package org.meshbook.kernel.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.UUID;
import org.meshbook.kernel.protocol.Header;
import org.meshbook.kernel.protocol.MessageCodec;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.Envelope;
import org.meshbook.kernel.wire.Outlet;

/// Puts replies and publications under their parent's header and hands them to the wire.
/// Thread-safe.
final class Outbox {
    private static final byte[] NOTHING = "{}".getBytes(UTF_8);
    private static final String KERNEL = "kernel";

    private final Outlet outlet;
    private final String session = UUID.randomUUID().toString();

    Outbox(Outlet outlet) {
        this.outlet = outlet;
    }

    void reply(Channel channel, Parent parent, Reply reply) {
        var header = Header.now(session, parent.header().username(), reply.type());
        outlet.send(
                channel,
                new Envelope(
                        parent.route(),
                        MessageCodec.write(header),
                        parent.raw(),
                        NOTHING,
                        MessageCodec.write(reply.content()),
                        List.of()));
    }

    void publish(Parent parent, Publication publication) {
        var header = Header.now(session, parent.header().username(), publication.type());
        outlet.send(Channel.IOPUB, envelope(topic(publication), parent, header, publication));
    }

    /// Publishes something that answers no request.
    void announce(Publication publication) {
        outlet.send(Channel.IOPUB, announcement(publication));
    }

    /// @return something that answers no request
    Envelope announcement(Publication publication) {
        var header = Header.now(session, KERNEL, publication.type());
        return new Envelope(
                topic(publication),
                MessageCodec.write(header),
                NOTHING,
                NOTHING,
                MessageCodec.write(publication.content()),
                List.of());
    }

    /// @return a header for something that is said under a request, in its shell
    Header header(Parent parent, Publication publication) {
        return Header.now(session, parent.header().username(), publication.type())
                .of(parent.header().subshell());
    }

    void ask(Parent parent, Header header, Publication.InputRequest request) {
        outlet.send(Channel.STDIN, envelope(parent.route(), parent, header, request));
    }

    /// Waits, before a piece of a cell's output, until there is room; an interrupt ends the
    /// waiting, not the output.
    void awaitRoom() {
        try {
            outlet.awaitRoom();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<byte[]> topic(Publication publication) {
        return List.of((Outlet.TOPIC + publication.type()).getBytes(UTF_8));
    }

    private static Envelope envelope(
            List<byte[]> route, Parent parent, Header header, Publication publication) {
        return new Envelope(
                route,
                MessageCodec.write(header),
                parent.raw(),
                MessageCodec.write(publication.metadata()),
                MessageCodec.write(publication.content()),
                publication.buffers());
    }
}
