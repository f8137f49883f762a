package org.meshbook.cluster.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Exec;
import org.meshbook.cluster.http.Exchange;
import org.meshbook.cluster.http.WebSocket;
import tools.jackson.databind.node.ObjectNode;

/// `…/pods/NAME/exec` over a WebSocket: each message begins with the number of its channel.
///
/// The exit code is a Status on a channel of its own. A client that goes away takes the command
/// with it. Source: `k8s.io/apimachinery/pkg/util/remotecommand`.
final class ExecCall {
    /// The newest first; it differs by a message that closes stdin.
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int STATUS = 3;
    private static final int CLOSE = 255;
    private static final int PIPE_BYTES = 1 << 16;

    private final Call call;
    private final Exec exec;

    ExecCall(Call call, Exec exec) {
        this.call = call;
        this.exec = exec;
    }

    void answer(Exchange exchange) throws IOException, InterruptedException {
        var protocol =
                PROTOCOLS.stream()
                        .filter(p -> exchange.wantsWebSocket() && exchange.speaks(p))
                        .findFirst()
                        .orElseThrow(
                                () -> bad("exec is served over WebSockets; kubectl from 1.31 on"));
        if (call.isTrue("tty")) {
            throw bad("there is no terminal here; leave out -t");
        }
        var command =
                new Exec.Command(call.asked("container"), call.all("command"), Optional.empty());
        if (command.words().isEmpty()) {
            throw bad("you must specify at least 1 command for the container");
        }
        var talk = new Talk(exchange, protocol, call.isTrue("stdin"));
        ObjectNode status;
        try {
            status = Json.exit(exec.exec(call.key(), command, talk));
        } catch (ApiException refused) {
            if (!exchange.answered()) {
                throw refused;
            }
            status = Json.status(refused);
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
        talk.end(status);
    }

    private static ApiException bad(String text) {
        return new ApiException(400, "BadRequest", text, List.of());
    }

    /// The streams of a command, on the channels of a socket.
    private static final class Talk implements Exec.Streams {
        private final Exchange exchange;
        private final String protocol;
        private final boolean reads;
        private final Thread caller = Thread.currentThread();
        private final PipedInputStream in = new PipedInputStream(PIPE_BYTES);
        private @Nullable WebSocket socket;
        private volatile boolean ended;

        Talk(Exchange exchange, String protocol, boolean reads) {
            this.exchange = exchange;
            this.reads = reads;
            this.protocol = protocol;
        }

        @Override
        public void started() {
            try {
                var to = new PipedOutputStream(in);
                var opened = exchange.webSocket(protocol);
                socket = opened;
                Thread.ofVirtual().name("meshbook-exec-socket").start(() -> read(opened, to));
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }

        private void read(WebSocket from, PipedOutputStream to) {
            try (to) {
                for (var got = from.read(); got.isPresent(); got = from.read()) {
                    var message = got.get();
                    if (message.length > 1 && message[0] == STDIN) {
                        to.write(message, 1, message.length - 1);
                        to.flush();
                    } else if (message.length > 1 && (message[0] & 0xFF) == CLOSE) {
                        to.close();
                    }
                }
            } catch (IOException broken) {
                // Told below.
            }
            if (!ended) {
                caller.interrupt();
            }
        }

        @Override
        public InputStream in() {
            return reads ? in : InputStream.nullInputStream();
        }

        @Override
        public void out(byte[] bytes) {
            send(STDOUT, bytes);
        }

        @Override
        public void err(byte[] bytes) {
            send(STDERR, bytes);
        }

        private void send(int channel, byte[] bytes) {
            var to = socket;
            if (to == null) {
                return;
            }
            var message = new byte[bytes.length + 1];
            message[0] = (byte) channel;
            System.arraycopy(bytes, 0, message, 1, bytes.length);
            try {
                to.write(message);
            } catch (IOException gone) {
                caller.interrupt();
            }
        }

        void end(ObjectNode status) throws IOException {
            ended = true;
            send(STATUS, Json.MAPPER.writeValueAsBytes(status));
            var to = socket;
            if (to != null) {
                to.close();
            }
        }
    }
}
