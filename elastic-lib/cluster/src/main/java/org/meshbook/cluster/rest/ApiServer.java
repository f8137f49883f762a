package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import tools.jackson.databind.node.ObjectNode;

/// Serves a [Cluster] on a port of loopback, to whoever shows the token.
///
/// Threads: any. Source: the Kubernetes API conventions,
/// https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md
public final class ApiServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ApiServer.class.getName());
    private static final int BACKLOG = 100;

    /// The version is that of Prometheus's text format; to all others it is plain text.
    private static final String PAGE = "text/plain; version=0.0.4; charset=utf-8";

    private static final int MOST_BODY_BYTES = 3 << 20;
    private static final Duration WATCH = Duration.ofMinutes(30);

    private final HttpsServer server;
    private final String certificate;
    private final String token;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("meshbook-api-", 0).factory());
    private final Cluster cluster;
    private final Verbs verbs;
    private final byte[] authorization;
    private final Map<String, Supplier<String>> pages = new ConcurrentHashMap<>();

    private ApiServer(Cluster cluster, Profile profile, Credentials credentials)
            throws IOException {
        this.cluster = cluster;
        token = credentials.token();
        verbs = new Verbs(cluster, profile, InstantSource.system());
        authorization = ("Bearer " + token).getBytes(UTF_8);
        certificate = credentials.identity().certificate();
        server = listening(credentials);
        server.setHttpsConfigurator(new HttpsConfigurator(credentials.identity().context()));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private static HttpsServer listening(Credentials credentials) throws IOException {
        try {
            return listening(credentials.port());
        } catch (BindException inUse) {
            if (!credentials.mayMove()) {
                throw inUse;
            }
            return listening(0);
        }
    }

    private static HttpsServer listening(int port) throws IOException {
        return HttpsServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    }

    /// Starts to serve.
    ///
    /// @param cluster what to serve
    /// @param token what clients must show as a bearer token
    /// @param port port, or 0 for any
    /// @return the server
    /// @throws IOException if the port is in use, or no key can be made
    public static ApiServer start(Cluster cluster, String token, int port) throws IOException {
        return start(cluster, Profile.V0_17, Credentials.fresh(token, port));
    }

    /// Starts to serve.
    ///
    /// @param cluster what to serve
    /// @param profile which Kueue's columns tables have
    /// @param credentials how clients reach it
    /// @return the server
    /// @throws IOException if the port is in use
    public static ApiServer start(Cluster cluster, Profile profile, Credentials credentials)
            throws IOException {
        return new ApiServer(cluster, profile, credentials);
    }

    /// @return where it listens
    public URI address() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    }

    /// @return what a client must trust, as PEM
    public String certificate() {
        return certificate;
    }

    /// Serves a text beside the objects, to whoever shows the token.
    ///
    /// @param path where, such as `/metrics`
    /// @param text made anew for each request, by any thread
    public void page(String path, Supplier<String> text) {
        pages.put(path, text);
    }

    /// Writes down what kubectl needs, for its `KUBECONFIG`.
    ///
    /// @param file where to; only its user may read it
    /// @throws IOException if it cannot be written
    public void writeKubeconfig(Path file) throws IOException {
        Kubeconfig.write(file, address(), certificate, token);
    }

    /// Writes down what clients must trust, as PEM.
    ///
    /// @param file where to; only its user may read it
    /// @throws IOException if it cannot be written
    public void writeCertificate(Path file) throws IOException {
        OwnFile.write(file, certificate);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        verbs.close();
    }

    @SuppressWarnings("CatchingUnchecked") // a bug in one request must not hang its client
    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                serve(exchange);
            } catch (ApiException refused) {
                answer(exchange, refused.code(), Json.status(refused));
            } catch (RuntimeException bug) {
                LOG.log(
                        Level.ERROR,
                        "a request failed: " + exchange.getRequestURI().getPath(),
                        bug);
                var said = new ApiException(500, "InternalError", bug.toString(), List.of());
                answer(exchange, said.code(), Json.status(said));
            }
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a client is gone", gone);
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        // 1. who asks
        var shown = exchange.getRequestHeaders().getFirst("Authorization");
        if (shown == null || !MessageDigest.isEqual(shown.getBytes(UTF_8), authorization)) {
            throw new ApiException(401, "Unauthorized", "Unauthorized", List.of());
        }
        // 2. what every client asks first
        var path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/healthz", "/livez", "/readyz" -> text(exchange, "ok");
            case "/version" -> answer(exchange, 200, Json.version());
            case "/api" -> answer(exchange, 200, Json.coreVersions());
            case "/apis" -> answer(exchange, 200, Json.groups());
            default -> {
                var page = pages.get(path);
                if (page != null) {
                    send(exchange, 200, PAGE, page.get().getBytes(UTF_8));
                } else if (isGroup(path)) {
                    answer(exchange, 200, Json.resources(path.replaceFirst("^/apis?/", "")));
                } else {
                    object(exchange);
                }
            }
        }
    }

    private static boolean isGroup(String path) {
        return Kinds.all().stream()
                .map(kind -> (kind.group().isEmpty() ? "/api/" : "/apis/") + kind.apiVersion())
                .anyMatch(path::equals);
    }

    private void object(HttpExchange exchange) throws IOException {
        var call =
                Call.of(exchange)
                        .orElseThrow(
                                () ->
                                        new ApiException(
                                                404,
                                                "NotFound",
                                                "the server could not find the requested resource",
                                                List.of()));
        if (call.isTrue("watch") && exchange.getRequestMethod().equals("GET")) {
            watch(exchange, call);
            return;
        }
        var warnings = new ArrayList<String>();
        var body = body(exchange);
        if (mediaType(exchange).equals("application/vnd.kubernetes.protobuf")) {
            throw Call.unreadable();
        }
        var answer =
                switch (exchange.getRequestMethod()) {
                    case "GET" -> verbs.get(call, wantsTable(exchange));
                    case "POST" -> verbs.post(call, body, warnings::add);
                    case "PUT" -> verbs.put(call, body, warnings::add);
                    case "PATCH" -> verbs.patch(call, mediaType(exchange), body, warnings::add);
                    case "DELETE" -> verbs.delete(call, body);
                    default -> throw Call.notAllowed();
                };
        for (var warning : warnings) {
            exchange.getResponseHeaders()
                    .add("Warning", "299 - \"%s\"".formatted(warning.replace("\"", "\\\"")));
        }
        answer(exchange, exchange.getRequestMethod().equals("POST") ? 201 : 200, answer);
    }

    private static boolean wantsTable(HttpExchange exchange) {
        var accepted = exchange.getRequestHeaders().getFirst("Accept");
        return accepted != null && accepted.contains("as=Table");
    }

    private static String mediaType(HttpExchange exchange) {
        var given = exchange.getRequestHeaders().getFirst("Content-Type");
        return given == null ? "" : given.split(";")[0].strip();
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES + 1);
        if (body.length > MOST_BODY_BYTES) {
            throw new ApiException(
                    413,
                    "RequestEntityTooLarge",
                    "Request entity too large: limit is " + MOST_BODY_BYTES,
                    List.of());
        }
        return body;
    }

    private void watch(HttpExchange exchange, Call call) throws IOException {
        var kind = Kinds.kept(call.kind());
        long after = number(call.asked("resourceVersion"));
        long seconds = number(call.asked("timeoutSeconds"));
        var time = seconds > 0 ? Duration.ofSeconds(seconds) : WATCH;
        var named =
                call.isCollection()
                        ? Verbs.selected(call)
                        : Verbs.selected(call).and(o -> o.name().equals(call.name()));
        try (var watching = new Watching(cluster, verbs.journal(kind), kind, after, named)) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            watching.stream(
                    exchange.getResponseBody(),
                    time,
                    call.isTrue("allowWatchBookmarks"),
                    call.isTrue("sendInitialEvents"));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private static void text(HttpExchange exchange, String text) throws IOException {
        send(exchange, 200, "text/plain", text.getBytes(UTF_8));
    }

    private static void answer(HttpExchange exchange, int code, ObjectNode body)
            throws IOException {
        send(exchange, code, "application/json", Json.MAPPER.writeValueAsBytes(body));
    }

    private static void send(HttpExchange exchange, int code, String type, byte[] body)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }
}
