package org.meshbook.kernel.session;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.wire.Channel;

/// Broken messages by the ten thousand against real sockets: none is taken for a wish, none ends
/// anything, and the next good one is answered.
///
/// `-Dmeshbook.fuzz=N` sets how many, `-Dmeshbook.fuzz.seed=N` which ones.
@Timeout(1200)
class FuzzTest {
    private static final int COUNT = Integer.getInteger("meshbook.fuzz", 100_000);
    private static final long SEED = Long.getLong("meshbook.fuzz.seed", 20_260_101L);
    private static final int BATCH = 1_000;
    private static final long GROWTH_BYTES = 64L << 20;

    private final ServedSession served = new ServedSession(true);
    private final JupyterClient client = served.client;

    @AfterEach
    void end() {
        served.close();
    }

    @Test
    void noBrokenMessageIsAnsweredOrEndsAChannel() {
        var mutations = new Mutations(new SplittableRandom(SEED), ServedSession.KEY);
        var answered = new ArrayList<String>();
        client.watch =
                message -> {
                    var parent = message.parent().path("msg_id").asString("");
                    if (parent.startsWith("bad-")) {
                        answered.add(parent + " by " + message.type());
                    }
                };
        var before = 0L;
        for (var sent = 0; sent < COUNT; sent += BATCH) {
            for (var channel : List.of(Channel.SHELL, Channel.CONTROL)) {
                for (var at = 0; at < BATCH / 2; at++) {
                    client.rawBytes(channel, mutations.next());
                }
                assertServed(channel);
            }
            // The first tenth warms everything up.
            if (before == 0 && sent >= COUNT / 10) {
                before = heapBytes();
            }
        }
        assertThat(answered).as("seed " + SEED).isEmpty();
        assertThat(reply(client.execute("print still here")).field("status")).isEqualTo("ok");
        assertThat(heapBytes() - before).as("growth in bytes").isLessThan(GROWTH_BYTES);
    }

    private void assertServed(Channel channel) {
        var id = client.send(channel, "kernel_info_request", Map.of());
        assertThat(client.reply(channel, id).field("status")).isEqualTo("ok");
        client.published(id);
        client.forget();
    }

    private JupyterClient.Message reply(String id) {
        return client.reply(Channel.SHELL, id);
    }

    private static long heapBytes() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void whatIsSentAgainIsNotDoneAgain() {
        var counts = new HashMap<String, Integer>();
        client.watch =
                message ->
                        counts.merge(
                                message.parent().path("msg_id").asString("") + message.type(),
                                1,
                                Integer::sum);
        var frames = new ArrayList<List<byte[]>>();
        client.sent = frames::add;
        var id = client.execute("print once");
        client.sent = _ -> {};
        client.published(id);
        for (var again = 0; again < 5; again++) {
            client.rawBytes(Channel.SHELL, frames.getFirst());
        }
        assertServed(Channel.SHELL);
        var after = client.execute("print after");
        client.published(after);
        assertThat(counts.get(id + "execute_input")).isEqualTo(1);
    }

    @Test
    void noiseOnTheLineEndsNoSocket() throws IOException {
        var random = new SplittableRandom(SEED);
        var mutations = new Mutations(random, ServedSession.KEY);
        for (var at = 0; at < 60; at++) {
            for (var channel : Channel.values()) {
                var port = served.sockets.port(channel);
                try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    var out = socket.getOutputStream();
                    switch (at % 4) {
                        case 0 -> out.write(mutations.noise(random.nextInt(500)));
                        case 1 -> out.write(greeting());
                        case 2 -> out.write(join(greeting(), mutations.noise(100)));
                        default -> out.write(join(greeting(), ready(), huge(1L << (30 + at % 34))));
                    }
                    out.flush();
                } catch (IOException e) {
                    // The kernel hung up first, as it may.
                    assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe|aborted).*");
                }
            }
        }
        assertServed(Channel.SHELL);
        assertServed(Channel.CONTROL);
        var cell = client.execute("print still here");
        assertThat(JupyterClient.printed(client.published(cell), "stdout")).contains("still here");
    }

    /// A peer of ZMTP 3.0 without security.
    private static byte[] greeting() {
        var greeting = ByteBuffer.allocate(64);
        greeting.put((byte) 0xFF).position(9);
        greeting.put((byte) 0x7F).put((byte) 3).put((byte) 0).put("NULL".getBytes(US_ASCII));
        return greeting.array();
    }

    private static byte[] ready() {
        var name = "READY".getBytes(US_ASCII);
        var key = "Socket-Type".getBytes(US_ASCII);
        var value = "DEALER".getBytes(US_ASCII);
        var body = ByteBuffer.allocate(1 + name.length + 1 + key.length + 4 + value.length);
        body.put((byte) name.length).put(name).put((byte) key.length).put(key);
        body.putInt(value.length).put(value);
        return join(new byte[] {4, (byte) body.capacity()}, body.array());
    }

    /// A frame that says it is so large, and some of it.
    private static byte[] huge(long bytes) {
        return ByteBuffer.allocate(109).put((byte) 2).putLong(bytes).array();
    }

    private static byte[] join(byte[]... parts) {
        var length = 0;
        for (var part : parts) {
            length += part.length;
        }
        var all = ByteBuffer.allocate(length);
        for (var part : parts) {
            all.put(part);
        }
        return all.array();
    }

    @Test
    void aPeerMayCallItselfAsItLikes() {
        for (var name : List.of("<IDS|MSG>", "x".repeat(255), "a\nb", "kernel.")) {
            var other = client.other(served.sockets.port(Channel.SHELL), name);
            try {
                assertThat(other.ask("kernel_info_request").field("status")).isEqualTo("ok");
            } finally {
                other.close();
            }
        }
    }
}
