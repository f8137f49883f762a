package org.meshbook.kernel.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Connections byte by byte, as a client of another's makes them.
@Tag("sockets")
@Timeout(60)
class HubTest {
    private static final int GREETING_BYTES = 64;

    private Hub hub;
    private Router router;
    private Publisher publisher;
    private Publisher hasty;
    private Thread owner;
    private volatile boolean over;

    @BeforeEach
    void serve() throws IOException {
        hub = new Hub(null);
        var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        router = hub.router(anywhere);
        publisher = hub.publisher(anywhere, Duration.ofMinutes(1));
        hasty = hub.publisher(anywhere, Duration.ofMillis(50));
        router.onMessage(router::send);
        publisher.onSubscription(topic -> List.of(bytes(topic + "welcome")));
        hub.open();
        owner =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        while (!over) {
                                            hub.serve();
                                            hub.drain();
                                        }
                                    } catch (IOException e) {
                                        throw new AssertionError(e);
                                    }
                                });
    }

    @AfterEach
    void end() throws InterruptedException {
        over = true;
        hub.wake();
        owner.join();
        hub.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /// The client's end of one connection.
    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(20_000);
            in = new DataInputStream(socket.getInputStream());
        }

        static Client joined(int port, String type, String identity) throws IOException {
            var client = new Client(port);
            client.greet("NULL", 3);
            client.raw(
                    new Frame(
                            Mechanism.command("READY", new Metadata(type, bytes(identity)).bytes())
                                    .body(),
                            false,
                            true));
            assertThat(new String(client.frame().body(), US_ASCII)).startsWith("\u0005READY");
            return client;
        }

        void greet(String mechanism, int major) throws IOException {
            var greeting = ByteBuffer.allocate(GREETING_BYTES).put(0, (byte) 0xFF);
            greeting.put(9, (byte) 0x7F).put(10, (byte) major).put(12, bytes(mechanism));
            socket.getOutputStream().write(greeting.array());
            in.readFully(new byte[GREETING_BYTES]);
        }

        void raw(Frame frame) throws IOException {
            var out = ByteBuffer.allocate(frame.wireBytes());
            frame.write(out);
            socket.getOutputStream().write(out.array());
        }

        void send(String... parts) throws IOException {
            for (var at = 0; at < parts.length; at++) {
                raw(new Frame(bytes(parts[at]), at < parts.length - 1, false));
            }
        }

        Frame frame() throws IOException {
            var flags = in.readUnsignedByte();
            var length = (flags & Frame.LONG) != 0 ? (int) in.readLong() : in.readUnsignedByte();
            return new Frame(
                    in.readNBytes(length), (flags & Frame.MORE) != 0, (flags & Frame.COMMAND) != 0);
        }

        List<String> receive() throws IOException {
            var parts = new ArrayList<String>();
            Frame frame;
            do {
                frame = frame();
                parts.add(new String(frame.body(), UTF_8));
            } while (frame.more());
            return parts;
        }

        /// @return whether the other end has closed
        boolean isCut() throws IOException {
            try {
                while (in.read() >= 0) {}
                return true;
            } catch (java.net.SocketTimeoutException e) {
                return false;
            } catch (java.net.SocketException e) {
                return true; // reset
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void aMessageComesBackToWhoSentIt() throws IOException {
        try (var one = Client.joined(router.port(), "DEALER", "one");
                var nameless = Client.joined(router.port(), "REQ", "")) {
            one.send("a", "", "b");
            nameless.send("", "ping");
            assertThat(one.receive()).containsExactly("a", "", "b");
            assertThat(nameless.receive()).containsExactly("", "ping");
        }
    }

    @Test
    void whoMakesSureOfTheConnectionIsAnsweredBetweenItsMessages() throws IOException {
        try (var one = Client.joined(router.port(), "DEALER", "one")) {
            one.raw(Mechanism.command("PING", new byte[] {0, 50}, bytes("word")));
            var pong = one.frame();
            assertThat(pong.command()).isTrue();
            assertThat(new String(pong.body(), UTF_8)).isEqualTo("\u0004PONGword");
            one.raw(Mechanism.command("LATER", bytes("of another version")));
            one.send("a");
            assertThat(one.receive()).containsExactly("a");
            one.raw(Mechanism.command("PING", bytes("a word of more than sixteen bytes")));
            assertThat(one.isCut()).isTrue();
        }
    }

    @Test
    void whoComesBackUnderItsNameTakesThePlaceOfItsOldConnection() throws IOException {
        try (var before = Client.joined(router.port(), "DEALER", "one");
                var after = Client.joined(router.port(), "DEALER", "one")) {
            assertThat(before.isCut()).isTrue();
            after.send("still here");
            assertThat(after.receive()).containsExactly("still here");
        }
    }

    @Test
    void whoeverDoesNotKeepToTheProtocolIsCutAndTheOthersAreServed() throws IOException {
        try (var good = Client.joined(router.port(), "DEALER", "good")) {
            try (var old = new Client(router.port())) {
                old.greet("NULL", 1);
                assertThat(old.isCut()).isTrue();
            }
            try (var other = new Client(router.port())) {
                other.greet("CURVE", 3);
                assertThat(other.isCut()).isTrue();
            }
            try (var web = new Client(router.port())) {
                web.socket.getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n"));
                assertThat(web.isCut()).isTrue();
            }
            try (var wrong = new Client(router.port())) {
                wrong.greet("NULL", 3);
                wrong.raw(Mechanism.command("READY", new Metadata("SUB", bytes("")).bytes()));
                assertThat(wrong.isCut()).isTrue();
            }
            good.send("well");
            assertThat(good.receive()).containsExactly("well");
        }
    }

    @Test
    void whoNeverSaysWhoItIsIsCutInTime() throws IOException {
        try (var silent = new Client(router.port())) {
            silent.in.readFully(new byte[GREETING_BYTES]);
            assertThat(silent.isCut()).isTrue();
        }
    }

    @Test
    void aSubscriberIsWelcomedAloneAndHearsItsTopicsOnly() throws IOException {
        try (var all = Client.joined(publisher.port(), "SUB", "");
                var some = Client.joined(publisher.port(), "SUB", "")) {
            all.send("\u0001");
            assertThat(all.receive()).containsExactly("welcome");
            some.send("\u0001kernel.s");
            assertThat(some.receive()).containsExactly("kernel.swelcome");
            publishOnOwner("kernel.other", "1");
            publishOnOwner("kernel.status", "2");
            assertThat(all.receive()).containsExactly("kernel.other", "1");
            assertThat(all.receive()).containsExactly("kernel.status", "2");
            assertThat(some.receive()).containsExactly("kernel.status", "2");
            some.send("\u0000kernel.s");
            some.send("\u0001kernel.t");
            assertThat(some.receive()).containsExactly("kernel.twelcome");
            publishOnOwner("kernel.status", "3");
            publishOnOwner("kernel.topic", "4");
            assertThat(some.receive()).containsExactly("kernel.topic", "4");
        }
    }

    @Test
    void aSlowSubscriberStopsThePublisherAndLosesNothing() throws IOException {
        try (var slow = Client.joined(publisher.port(), "SUB", "")) {
            slow.send("\u0001");
            assertThat(slow.receive()).containsExactly("welcome");
            var text = "x".repeat(100_000);
            var published = new AtomicInteger();
            router.onMessage(
                    message -> {
                        while (publisher.publish(
                                List.of(bytes("n" + published.get()), bytes(text)))) {
                            published.incrementAndGet();
                        }
                        router.send(message);
                    });
            try (var asker = Client.joined(router.port(), "DEALER", "asker")) {
                asker.send("fill");
                assertThat(asker.receive()).containsExactly("fill");
                var full = published.get();
                assertThat(full).isGreaterThan(5);
                for (var at = 0; at < full; at++) {
                    assertThat(slow.receive()).containsExactly("n" + at, text);
                }
                asker.send("again");
                assertThat(asker.receive()).containsExactly("again");
                assertThat(slow.receive().getFirst()).isEqualTo("n" + full);
            }
        }
    }

    @Test
    void aSubscriberThatReadsNothingForLongHoldsNobodyUp() throws IOException {
        hasty.onSubscription(topic -> List.of(bytes(topic + "welcome")));
        try (var stuck = Client.joined(hasty.port(), "SUB", "")) {
            stuck.send("\u0001");
            assertThat(stuck.receive()).containsExactly("welcome");
            var text = "x".repeat(100_000);
            var published = new AtomicInteger();
            router.onMessage(
                    message -> {
                        while (published.get() < 300
                                && hasty.publish(
                                        List.of(bytes("n" + published.get()), bytes(text)))) {
                            published.incrementAndGet();
                        }
                        router.send(message);
                    });
            try (var asker = Client.joined(router.port(), "DEALER", "asker")) {
                do {
                    asker.send("more");
                    assertThat(asker.receive()).containsExactly("more");
                } while (published.get() < 300);
            }
            // What it was owed before it is there in order, should it read again.
            for (var at = 0; at < 100; at++) {
                assertThat(stuck.receive()).containsExactly("n" + at, text);
            }
        }
    }

    /// Publishes on the thread that owns the hub.
    private void publishOnOwner(String topic, String text) throws IOException {
        router.onMessage(
                message -> {
                    assertThat(publisher.publish(List.of(bytes(topic), bytes(text)))).isTrue();
                    router.send(message);
                });
        try (var asker = Client.joined(router.port(), "DEALER", "asker")) {
            asker.send("done");
            assertThat(asker.receive()).containsExactly("done");
        }
    }
}
