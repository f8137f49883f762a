package org.meshbook.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.cluster.kubernetes.FakeServer.HASTY;
import static org.meshbook.cluster.kubernetes.FakeServer.open;
import static org.meshbook.cluster.kubernetes.FakeServer.send;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.ResourceKey;

/// Whole output, whatever the server makes of the connection.
@Timeout(60)
class LogsTest {
    private static final ResourceKey POD = Kinds.POD.key("default", "p");

    @TempDir private Path folder;
    private final AtomicInteger reads = new AtomicInteger();
    private final List<String> told = new ArrayList<>();

    private interface Log {
        void give(int count, HttpExchange exchange) throws IOException, InterruptedException;
    }

    /// A server whose pod has these phases, one at each look, the last one for good; `""` is none.
    private FakeServer server(Log log, String... phases) throws IOException {
        var looks = new AtomicInteger();
        return new FakeServer(
                (_, exchange) -> {
                    if (exchange.getRequestURI().getPath().endsWith("/log")) {
                        log.give(reads.incrementAndGet(), exchange);
                        return;
                    }
                    var phase = phases[Math.min(looks.getAndIncrement(), phases.length - 1)];
                    if (phase.isEmpty()) {
                        send(exchange, 404, status(404, "NotFound", "pods \"p\" not found"));
                    } else {
                        send(
                                exchange,
                                200,
                                """
                                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
                                 "status":{"phase":"%s"}}
                                """
                                        .formatted(phase));
                    }
                },
                (_, exchange) -> send(exchange, 500, ""));
    }

    private static String status(int code, String reason, String message) {
        return "{\"kind\":\"Status\",\"code\":%d,\"reason\":\"%s\",\"message\":\"%s\"}"
                .formatted(code, reason, message.replace("\"", "\\\""));
    }

    private static String line(int second, String text) {
        return "2026-12-01T00:00:%02d.5Z %s\n".formatted(second, text);
    }

    private void follow(FakeServer server) throws Exception {
        try (var cluster = new KubernetesCluster(server.access(folder, "{}"), HASTY)) {
            cluster.logs(POD, Logs.Options.FOLLOW, told::add);
        }
    }

    @Test
    void aShortJobLosesNeitherItsFirstNorItsLastLines() throws Exception {
        try (var server =
                server(
                        (count, exchange) -> {
                            switch (count) {
                                case 1 ->
                                        send(
                                                exchange,
                                                400,
                                                status(400, "BadRequest", "is waiting to start"));
                                case 2 -> open(exchange, line(1, "first") + line(1, "same time"));
                                default ->
                                        open(
                                                exchange,
                                                line(1, "first")
                                                        + line(1, "same time")
                                                        + line(1, "too")
                                                        + line(2, "")
                                                        + line(3, "last"));
                            }
                        },
                        "Pending",
                        "Running",
                        "Succeeded")) {
            follow(server);
            assertThat(told).containsExactly("first", "same time", "too", "", "last");
            assertThat(reads).hasValue(3);
        }
    }

    @Test
    void aPodThatIsDeletedIsSaidToBe() throws Exception {
        try (var server =
                server(
                        (count, exchange) -> {
                            if (count == 1) {
                                open(exchange, line(1, "a"));
                            } else {
                                send(exchange, 404, status(404, "NotFound", "gone"));
                            }
                        },
                        "Running",
                        "")) {
            follow(server);
            assertThat(told).containsExactly("a", "pod \"p\" was deleted");
        }
    }

    @Test
    void aLineComesWhenItIsPrintedAndStopIsHeardAtOnce() throws Exception {
        var held = new CountDownLatch(1);
        try (var server =
                        server(
                                (_, exchange) -> {
                                    open(exchange, line(1, "a"));
                                    held.await();
                                },
                                "Running");
                var cluster = new KubernetesCluster(server.access(folder, "{}"), HASTY)) {
            var lines = new LinkedBlockingQueue<String>();
            var reader =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            cluster.logs(POD, Logs.Options.FOLLOW, lines::add);
                                        } catch (InterruptedException stopped) {
                                            lines.add("stopped");
                                        }
                                    });
            assertThat(lines.poll(20, TimeUnit.SECONDS)).isEqualTo("a");
            reader.interrupt();
            assertThat(lines.poll(20, TimeUnit.SECONDS)).isEqualTo("stopped");
            held.countDown();
        }
    }

    @Test
    void aPodThatIsNotThereIsSaidInTheServersWords() throws Exception {
        try (var server =
                server(
                        (_, exchange) ->
                                send(
                                        exchange,
                                        404,
                                        status(404, "NotFound", "pods \"p\" not found")),
                        "")) {
            assertThatThrownBy(() -> follow(server))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("pods \"p\" not found");
        }
    }
}
