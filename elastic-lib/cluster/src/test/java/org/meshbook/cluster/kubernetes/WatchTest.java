package org.meshbook.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.meshbook.cluster.kubernetes.FakeServer.HASTY;
import static org.meshbook.cluster.kubernetes.FakeServer.event;
import static org.meshbook.cluster.kubernetes.FakeServer.expired;
import static org.meshbook.cluster.kubernetes.FakeServer.list;
import static org.meshbook.cluster.kubernetes.FakeServer.open;
import static org.meshbook.cluster.kubernetes.FakeServer.send;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.WatchEvent;

/// What a watch makes of a server that ends it, forgets, falls silent or fails.
@Timeout(60)
class WatchTest {
    private static final CountDownLatch HELD = new CountDownLatch(1);

    @TempDir private Path folder;
    private final LinkedBlockingQueue<WatchEvent> heard = new LinkedBlockingQueue<>();

    private KubernetesCluster client(FakeServer server, Patience patience) throws IOException {
        return new KubernetesCluster(server.access(folder, "{}"), patience);
    }

    private List<String> next(int count) throws InterruptedException {
        var told = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            var event = Objects.requireNonNull(heard.poll(20, TimeUnit.SECONDS), "after " + told);
            told.add(event.type() + " " + event.object().name());
        }
        return told;
    }

    @Test
    void aVersionThatIsForgottenMidStreamLosesAndDoublesNothing() throws Exception {
        try (var server =
                        new FakeServer(
                                (count, exchange) ->
                                        list(
                                                exchange,
                                                count == 1 ? "5" : "20",
                                                count == 1
                                                        ? "a:1,b:2,c:3,f:4:old"
                                                        : "a:1,b:12,e:9,f:15:new"),
                                (count, exchange) -> {
                                    if (count == 1) {
                                        open(exchange, event("ADDED", "d:6") + expired());
                                    } else {
                                        assertQuery(exchange.getRequestURI().getQuery(), "20");
                                        open(exchange, event("MODIFIED", "a:21"));
                                        HELD.await();
                                    }
                                });
                var cluster = client(server, HASTY);
                var watch = cluster.watch(Kinds.CONFIG_MAP, heard::add)) {
            assertThat(watch).isNotNull();
            assertThat(next(5))
                    .containsExactly("ADDED a", "ADDED b", "ADDED c", "ADDED f", "ADDED d");
            // c and d went, e came, b changed, f is another one of the same name.
            assertThat(next(7))
                    .containsExactlyInAnyOrder(
                            "MODIFIED b",
                            "ADDED e",
                            "DELETED f",
                            "ADDED f",
                            "DELETED c",
                            "DELETED d",
                            "MODIFIED a");
            assertThat(heard).isEmpty();
            assertThat(server.lists).hasValue(2);
        }
    }

    private static void assertQuery(String query, String version) {
        assertThat(query).contains("resourceVersion=" + version, "allowWatchBookmarks=true");
    }

    @Test
    void aWatchThatEndsGoesOnFromTheLastVersionWithoutAList() throws Exception {
        try (var server =
                        new FakeServer(
                                (_, exchange) -> list(exchange, "5", "a:1"),
                                (count, exchange) -> {
                                    var query = exchange.getRequestURI().getQuery();
                                    switch (count) {
                                        case 1 -> open(exchange, event("MODIFIED", "a:6"));
                                        case 2 -> {
                                            assertQuery(query, "6");
                                            open(exchange, event("BOOKMARK", "x:9"));
                                        }
                                        case 3 -> {
                                            // Cut in the middle of a line.
                                            assertQuery(query, "9");
                                            open(exchange, event("ADDED", "b:10").substring(0, 30));
                                        }
                                        default -> {
                                            assertQuery(query, count == 4 ? "9" : "11");
                                            open(
                                                    exchange,
                                                    event("ADDED", "b:10")
                                                            + event("DELETED", "a:11"));
                                        }
                                    }
                                });
                var cluster = client(server, HASTY);
                var watch = cluster.watch(Kinds.CONFIG_MAP, heard::add)) {
            assertThat(watch).isNotNull();
            assertThat(next(4)).containsExactly("ADDED a", "MODIFIED a", "ADDED b", "DELETED a");
            assertThat(server.lists).hasValue(1);
        }
    }

    @Test
    void fiftyForgottenVersionsLeaveNoConnectionBehind() throws Exception {
        try (var server =
                        new FakeServer(
                                (count, exchange) -> list(exchange, "" + count, "a:1"),
                                (count, exchange) -> {
                                    if (count <= 50) {
                                        open(exchange, expired());
                                    } else {
                                        open(exchange, event("ADDED", "b:99"));
                                        HELD.await();
                                    }
                                });
                var cluster = client(server, HASTY)) {
            try (var watch = cluster.watch(Kinds.CONFIG_MAP, heard::add)) {
                assertThat(watch).isNotNull();
                assertThat(next(2)).containsExactly("ADDED a", "ADDED b");
                assertThat(server.lists).hasValue(51);
                assertThat(cluster.connections()).isLessThanOrEqualTo(2);
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(cluster.connections()).isLessThanOrEqualTo(1));
            assertThat(cluster.watches()).isEmpty();
        }
    }

    @Test
    void aServerThatFailsForAWhileIsAskedMoreAndMoreSeldom() throws Exception {
        var slow =
                new Patience(
                        Duration.ofMillis(1),
                        Duration.ofSeconds(1),
                        HASTY.silence(),
                        HASTY.answer());
        assertThat(List.of(slow.before(1), slow.before(2), slow.before(8), slow.before(99)))
                .containsExactly(
                        Duration.ofMillis(1),
                        Duration.ofMillis(2),
                        Duration.ofMillis(128),
                        Duration.ofSeconds(1));
        try (var server =
                        new FakeServer(
                                (_, exchange) -> list(exchange, "5", "a:1"),
                                (count, exchange) -> {
                                    if (count <= 7) {
                                        send(
                                                exchange,
                                                500,
                                                "{\"kind\":\"Status\",\"code\":500,"
                                                        + "\"message\":\"etcd is gone\"}");
                                    } else {
                                        open(exchange, event("ADDED", "b:6"));
                                        HELD.await();
                                    }
                                });
                var cluster = client(server, HASTY);
                var watch =
                        cluster.watch(
                                Kinds.CONFIG_MAP,
                                event -> {
                                    if (event.object().name().equals("b")) {
                                        assertThat(cluster.watches().getFirst().problem())
                                                .isEqualTo("etcd is gone");
                                        assertThat(cluster.watches().getFirst().live()).isFalse();
                                    }
                                    heard.add(event);
                                })) {
            assertThat(watch).isNotNull();
            assertThat(next(2)).containsExactly("ADDED a", "ADDED b");
            await().atMost(Duration.ofSeconds(20)).until(() -> cluster.watches().getFirst().live());
        }
    }

    @Test
    void aWatchThatIsSilentForTooLongBeginsAnew() throws Exception {
        var deaf =
                new Patience(HASTY.first(), HASTY.most(), Duration.ofMillis(200), HASTY.answer());
        try (var server =
                        new FakeServer(
                                (count, exchange) ->
                                        list(exchange, "5", count == 1 ? "a:1" : "a:1,b:4"),
                                (_, exchange) -> {
                                    open(exchange, "");
                                    HELD.await();
                                });
                var cluster = client(server, deaf);
                var watch = cluster.watch(Kinds.CONFIG_MAP, heard::add)) {
            assertThat(watch).isNotNull();
            assertThat(next(2)).containsExactly("ADDED a", "ADDED b");
        }
    }

    @Test
    void aWatchThatIsRefusedAtFirstIsNotBegun() throws Exception {
        try (var server =
                        new FakeServer(
                                (_, exchange) ->
                                        send(
                                                exchange,
                                                403,
                                                "{\"kind\":\"Status\",\"code\":403,\"reason\":"
                                                        + "\"Forbidden\",\"message\":\"no pods for"
                                                        + " you\"}"),
                                (_, exchange) -> send(exchange, 500, ""));
                var cluster = client(server, HASTY)) {
            assertThatThrownBy(() -> cluster.watch(Kinds.POD, heard::add))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("no pods for you");
            assertThat(cluster.watches()).isEmpty();
            assertThat(server.watches).hasValue(0);
        }
    }

    @Test
    void aListenerThatFailsClosesItsWatch() throws Exception {
        try (var server =
                        new FakeServer(
                                (_, exchange) -> list(exchange, "5", ""),
                                (_, exchange) -> {
                                    open(exchange, event("ADDED", "b:6"));
                                    HELD.await();
                                });
                var cluster = client(server, HASTY);
                var watch =
                        cluster.watch(
                                Kinds.CONFIG_MAP,
                                _ -> {
                                    throw new IllegalStateException("mine");
                                })) {
            assertThat(watch).isNotNull();
            await().atMost(Duration.ofSeconds(20)).until(() -> cluster.watches().isEmpty());
        }
    }
}
