package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Exec;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.http.Exchange;
import org.meshbook.cluster.http.HttpServer;
import org.meshbook.cluster.rest.form.OpenApi;
import org.meshbook.cluster.rest.form.Protobuf;
import tools.jackson.databind.node.ObjectNode;

/// Serves a [Cluster] on a port of loopback, to whoever shows the token.
///
/// Threads: any. Source: the Kubernetes API conventions,
/// https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md
public final class ApiServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ApiServer.class.getName());

    /// The version is that of Prometheus's text format; to all others it is plain text.
    private static final String PAGE = "text/plain; version=0.0.4; charset=utf-8";

    private static final int MOST_BODY_BYTES = 3 << 20;
    private static final Duration WATCH = Duration.ofMinutes(30);

    private final HttpServer server;
    private final String certificate;
    private final String token;
    private final Cluster cluster;
    private final Verbs verbs;
    private final Logs logs;
    private final Exec exec;
    private final byte[] authorization;
    private final Map<String, Supplier<String>> pages = new ConcurrentHashMap<>();

    private ApiServer(
            Cluster cluster, Profile profile, Logs logs, Exec exec, Credentials credentials)
            throws IOException {
        this.cluster = cluster;
        this.logs = logs;
        this.exec = exec;
        token = credentials.token();
        verbs = new Verbs(cluster, profile, InstantSource.system());
        authorization = ("Bearer " + token).getBytes(UTF_8);
        certificate = credentials.identity().certificate();
        server = listening(credentials);
    }

    private HttpServer listening(Credentials credentials) throws IOException {
        var tls = credentials.identity().context();
        try {
            return HttpServer.start(credentials.port(), tls, this::handle);
        } catch (BindException inUse) {
            if (!credentials.mayMove()) {
                throw inUse;
            }
            return HttpServer.start(0, tls, this::handle);
        }
    }

    /// Starts to serve a cluster without nodes.
    ///
    /// @param cluster what to serve
    /// @param token what clients must show as a bearer token
    /// @param port port, or 0 for any
    /// @return the server
    /// @throws IOException if the port is in use, or no key can be made
    public static ApiServer start(Cluster cluster, String token, int port) throws IOException {
        return start(
                cluster,
                Profile.V0_17,
                ApiServer::noNode,
                ApiServer::noNode,
                Credentials.fresh(token, port));
    }

    /// Starts to serve.
    ///
    /// @param cluster what to serve
    /// @param profile which Kueue's columns tables have
    /// @param logs what pods print
    /// @param exec runs commands in pods
    /// @param credentials how clients reach it
    /// @return the server
    /// @throws IOException if the port is in use
    public static ApiServer start(
            Cluster cluster, Profile profile, Logs logs, Exec exec, Credentials credentials)
            throws IOException {
        return new ApiServer(cluster, profile, logs, exec, credentials);
    }

    private static void noNode(ResourceKey pod, Logs.Options options, Logs.Lines lines) {
        throw noNode(pod);
    }

    private static int noNode(ResourceKey pod, Exec.Command command, Exec.Streams streams) {
        throw noNode(pod);
    }

    private static ApiException noNode(ResourceKey pod) {
        return new ApiException(
                500, "InternalError", "no node runs pod \"%s\"".formatted(pod.name()), List.of());
    }

    /// @return where it listens
    public URI address() {
        return URI.create("https://127.0.0.1:" + server.port());
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
        server.close();
        verbs.close();
    }

    @SuppressWarnings("CatchingUnchecked") // a bug in one request must not hang its client
    private void handle(Exchange exchange) throws IOException {
        try {
            serve(exchange);
        } catch (ApiException refused) {
            refuse(exchange, refused);
        } catch (RuntimeException bug) {
            LOG.log(Level.ERROR, "a request failed: " + exchange.path(), bug);
            refuse(exchange, new ApiException(500, "InternalError", bug.toString(), List.of()));
        }
    }

    /// An answer that has begun can only be broken off.
    private static void refuse(Exchange exchange, ApiException refused) throws IOException {
        if (exchange.answered()) {
            throw new IOException(refused);
        }
        answer(exchange, refused.code(), Json.status(refused));
    }

    private void serve(Exchange exchange) throws IOException {
        // 1. who asks
        var shown = exchange.header("Authorization").orElse("");
        if (!MessageDigest.isEqual(shown.getBytes(UTF_8), authorization)) {
            throw new ApiException(401, "Unauthorized", "Unauthorized", List.of());
        }
        // 2. what every client asks first
        var path = exchange.path();
        switch (path) {
            case "/healthz", "/livez", "/readyz" -> text(exchange, "ok");
            case "/version" -> answer(exchange, 200, Json.version());
            case "/api" -> answer(exchange, 200, Json.coreVersions());
            case "/apis" -> answer(exchange, 200, Json.groups());
            case OpenApi.PATH -> answer(exchange, 200, OpenApi.index());
            default -> {
                var page = pages.get(path);
                if (page != null) {
                    exchange.answer(200, PAGE, page.get().getBytes(UTF_8));
                } else if (path.startsWith(OpenApi.PATH + "/")) {
                    var base = path.substring(OpenApi.PATH.length() + 1);
                    answer(exchange, 200, OpenApi.document(base));
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

    private void object(Exchange exchange) throws IOException {
        var call =
                Call.of(exchange)
                        .orElseThrow(
                                () ->
                                        new ApiException(
                                                404,
                                                "NotFound",
                                                "the server could not find the requested resource",
                                                List.of()));
        boolean reads = exchange.method().equals("GET");
        if (call.isTrue("watch") && reads) {
            watch(exchange, call);
            return;
        }
        if (call.kind().equals(Kinds.POD) && ofNode(exchange, call)) {
            return;
        }
        var warnings = new ArrayList<String>();
        var body = body(exchange);
        if (mediaType(exchange).equals(Protobuf.TYPE)) {
            body = Protobuf.json(body).orElseThrow(Call::unreadable);
        }
        var answer =
                switch (exchange.method()) {
                    case "GET" -> verbs.get(call, wantsTable(exchange));
                    case "POST" -> verbs.post(call, body, warnings::add);
                    case "PUT" -> verbs.put(call, body, warnings::add);
                    case "PATCH" -> verbs.patch(call, mediaType(exchange), body, warnings::add);
                    case "DELETE" -> verbs.delete(call, body);
                    default -> throw Call.notAllowed();
                };
        for (var warning : warnings) {
            exchange.add("Warning", "299 - \"%s\"".formatted(warning.replace("\"", "\\\"")));
        }
        answer(exchange, exchange.method().equals("POST") ? 201 : 200, answer);
    }

    private static boolean wantsTable(Exchange exchange) {
        return exchange.header("Accept").orElse("").contains("as=Table");
    }

    private static String mediaType(Exchange exchange) {
        return exchange.header("Content-Type").orElse("").replaceAll(";.*", "").strip();
    }

    private static byte[] body(Exchange exchange) throws IOException {
        var body = exchange.body().readNBytes(MOST_BODY_BYTES + 1);
        if (body.length > MOST_BODY_BYTES) {
            throw new ApiException(
                    413,
                    "RequestEntityTooLarge",
                    "Request entity too large: limit is " + MOST_BODY_BYTES,
                    List.of());
        }
        return body;
    }

    private void watch(Exchange exchange, Call call) throws IOException {
        var kind = Kinds.kept(call.kind());
        long after = number(call.asked("resourceVersion"));
        long seconds = number(call.asked("timeoutSeconds"));
        var time = seconds > 0 ? Duration.ofSeconds(seconds) : WATCH;
        var named =
                call.isCollection()
                        ? Verbs.selected(call)
                        : Verbs.selected(call).and(o -> o.name().equals(call.name()));
        try (var watching = new Watching(cluster, verbs.journal(kind), kind, after, named)) {
            watching.stream(
                    exchange.stream("application/json"),
                    time,
                    call.isTrue("allowWatchBookmarks"),
                    call.isTrue("sendInitialEvents"));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// What the node of a pod answers.
    ///
    /// @return whether it was asked
    private boolean ofNode(Exchange exchange, Call call) throws IOException {
        try {
            switch (call.subresource()) {
                case "log" -> new LogCall(call, logs).answer(exchange, InstantSource.system());
                case "exec" -> new ExecCall(call, exec).answer(exchange);
                case "attach", "portforward" ->
                        throw new ApiException(
                                400,
                                "BadRequest",
                                "%s is not served: pods are processes of this machine, and listen at their status.podIP"
                                        .formatted(call.subresource()),
                                List.of());
                default -> {
                    return false;
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private static void text(Exchange exchange, String text) throws IOException {
        exchange.answer(200, "text/plain", text.getBytes(UTF_8));
    }

    private static void answer(Exchange exchange, int code, ObjectNode body) throws IOException {
        exchange.answer(code, "application/json", Json.MAPPER.writeValueAsBytes(body));
    }
}
