package org.meshbook.cluster.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.meshbook.cluster.kubernetes.login.Access;
import org.meshbook.cluster.kubernetes.login.Kubeconfig;

/// An API server that does as a test says, over plain HTTP.
final class FakeServer implements AutoCloseable {
    static final Patience HASTY =
            new Patience(
                    Duration.ofMillis(1),
                    Duration.ofMillis(20),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20));

    /// Answers the nth request of its sort.
    interface Answer {
        void give(int count, HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> headers = new CopyOnWriteArrayList<>();
    final AtomicInteger lists = new AtomicInteger();
    final AtomicInteger watches = new AtomicInteger();

    FakeServer(Answer list, Answer watch) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setExecutor(threads);
        server.createContext(
                "/",
                exchange -> {
                    headers.add(
                            String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                    var query = String.valueOf(exchange.getRequestURI().getQuery());
                    boolean watching = query.contains("watch=1");
                    try (exchange) {
                        (watching ? watch : list)
                                .give((watching ? watches : lists).incrementAndGet(), exchange);
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// @return the `Authorization` of each request
    List<String> headers() {
        return headers;
    }

    /// @param folder where a kubeconfig may lie
    /// @param user `users[0].user`, in YAML's flow style
    Access access(Path folder, String user) throws IOException {
        var file = folder.resolve("kubeconfig");
        Files.writeString(
                file,
                """
                current-context: fake
                contexts: [{name: fake, context: {cluster: fake, user: me}}]
                clusters: [{name: fake, cluster: {server: "%s"}}]
                users: [{name: me, user: %s}]
                """
                        .formatted(address(), user));
        return Kubeconfig.access(Optional.of(file), Optional.empty(), Map.of());
    }

    /// @param objects `name:version`, comma-separated
    static void list(HttpExchange exchange, String version, String objects) throws IOException {
        var items =
                objects.isEmpty()
                        ? List.<String>of()
                        : List.of(objects.split(",")).stream().map(FakeServer::object).toList();
        send(
                exchange,
                200,
                """
                {"kind":"ConfigMapList","metadata":{"resourceVersion":"%s"},"items":[%s]}\
                """
                        .formatted(version, String.join(",", items)));
    }

    /// @param spec `name:version` or `name:version:uid`
    static String object(String spec) {
        var parts = spec.split(":");
        return """
        {"metadata":{"namespace":"default","name":"%s","resourceVersion":"%s","uid":"%s"}}\
        """
                .formatted(parts[0], parts[1], parts.length > 2 ? parts[2] : parts[0]);
    }

    /// A line of a watch.
    static String event(String type, String spec) {
        return """
        {"type":"%s","object":%s}
        """
                .formatted(
                        type,
                        object(spec)
                                .replaceFirst(
                                        "\\{", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","));
    }

    static String expired() {
        return """
        {"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}
        """;
    }

    static void send(HttpExchange exchange, int code, String body) throws IOException {
        var bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /// Begins a watch.
    static OutputStream open(HttpExchange exchange, String lines) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        var out = exchange.getResponseBody();
        out.write(lines.getBytes(UTF_8));
        out.flush();
        return out;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
