package org.meshbook.cluster.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientImpl;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.cluster.kubernetes.login.Access;
import tools.jackson.databind.JsonNode;

/// Sends requests and waits for what is answered.
///
/// A token that is not accepted is renewed once; a server that is too busy is asked again after the
/// time that it names. All else is told as it is. Threads: any.
final class Connection implements AutoCloseable {
    private static final int UNAUTHORIZED = 401;
    private static final int BUSY = 429;
    private static final int MOST_TRIES = 5;
    private static final long LONGEST_PAUSE_SECONDS = 10;
    private static final Pattern WARNING =
            Pattern.compile("\\d{3} \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Access access;
    private final HttpClient owner;
    private final OkHttpClient calls;
    private final OkHttpClient streams;
    private final HttpUrl server;
    private final CountDownLatch closed = new CountDownLatch(1);

    Connection(Access access, Patience patience) {
        this.access = access;
        // Named by its interface: the builder's own class is not visible.
        HttpClient.Builder builder = new OkHttpClientFactory().newBuilder(access.config());
        owner = builder.build();
        var client = ((OkHttpClientImpl) owner).getOkHttpClient();
        calls =
                client.newBuilder()
                        .callTimeout(patience.answer())
                        .readTimeout(patience.answer())
                        .build();
        streams = client.newBuilder().readTimeout(patience.silence()).build();
        server = Objects.requireNonNull(HttpUrl.parse(access.config().getMasterUrl()));
    }

    /// Sends a request and reads the whole answer.
    ///
    /// @param warnings hears the server's warnings
    /// @throws ApiException if the server refuses
    /// @throws ClusterUnreachable if it does not answer
    JsonNode send(Ask ask, Consumer<String> warnings) {
        try (var response = answered(calls, ask, _ -> {})) {
            for (var header : response.headers("Warning")) {
                for (var warning = WARNING.matcher(header); warning.find(); ) {
                    warnings.accept(warning.group(1).replaceAll("\\\\(.)", "$1"));
                }
            }
            return Refusals.JSON.readTree(response.body().bytes());
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /// Sends a request and reads the whole answer as text.
    ///
    /// @throws ApiException if the server refuses
    /// @throws ClusterUnreachable if it does not answer
    String text(Ask ask) {
        try (var response = answered(calls, ask, _ -> {})) {
            return response.body().string();
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /// Sends a request whose answer does not end soon.
    ///
    /// @param started hears of each call that is made, to cancel it
    /// @return the answer, to be closed
    Response stream(Ask ask, Consumer<Call> started) throws IOException {
        return answered(streams, ask, started);
    }

    private Response answered(OkHttpClient client, Ask ask, Consumer<Call> started)
            throws IOException {
        boolean renewed = false;
        for (int attempt = 1; ; attempt++) {
            var shown = access.credentials().header();
            var call = client.newCall(request(ask, shown));
            started.accept(call);
            var response = call.execute();
            if (response.isSuccessful()) {
                return response;
            }
            try (response) {
                int code = response.code();
                if (code == UNAUTHORIZED && !renewed && access.credentials().renew(shown)) {
                    renewed = true;
                } else if (code == BUSY && attempt < MOST_TRIES) {
                    pause(response.header("Retry-After"));
                } else {
                    throw Refusals.of(response);
                }
            }
        }
    }

    private Request request(Ask ask, String authorization) {
        var request =
                new Request.Builder()
                        .url(ask.url(server))
                        .header("Accept", "application/json")
                        .header("User-Agent", "meshbook");
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        var body = ask.body().map(json -> new Body(ask.type(), json.toString().getBytes(UTF_8)));
        boolean needed = !ask.method().equals("GET") && !ask.method().equals("DELETE");
        return request.method(
                        ask.method(),
                        needed ? body.orElse(new Body(ask.type(), new byte[0])) : body.orElse(null))
                .build();
    }

    /// A body that is sent once: whether a write was done is not known when its connection broke.
    private static final class Body extends RequestBody {
        private final MediaType type;
        private final byte[] bytes;

        Body(String type, byte[] bytes) {
            this.type = Objects.requireNonNull(MediaType.parse(type));
            this.bytes = bytes;
        }

        @Override
        public MediaType contentType() {
            return type;
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.write(bytes);
        }
    }

    private void pause(@Nullable String seconds) {
        long asked = seconds != null && seconds.matches("\\d{1,4}") ? Long.parseLong(seconds) : 1;
        await(Duration.ofSeconds(Math.min(asked, LONGEST_PAUSE_SECONDS)));
    }

    /// Waits for a time, or until this is closed.
    void await(Duration time) {
        try {
            if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ClusterUnreachable(
                        "the cluster \"%s\" is closed".formatted(access.name()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterUnreachable("interrupted", e);
        }
    }

    /// @param e why there is no answer
    /// @return what to tell a person
    ClusterUnreachable unreachable(IOException e) {
        var why =
                switch (e) {
                    case ConnectException _ ->
                            "does not answer (%s); is it running?".formatted(reason(e));
                    case UnknownHostException _ ->
                            "has a host name that nobody knows; check the server's address in \"%s\""
                                    .formatted(access.source());
                    case SSLException _ ->
                            ("has a certificate that is not trusted (%s); check"
                                            + " certificate-authority in \"%s\"")
                                    .formatted(reason(e), access.source());
                    default -> "broke the connection (%s); try again".formatted(reason(e));
                };
        return new ClusterUnreachable(
                "cluster \"%s\" at %s %s".formatted(access.name(), server, why), e);
    }

    private static String reason(Throwable e) {
        var cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    /// @return connections that are open
    int connections() {
        return calls.connectionPool().connectionCount();
    }

    Access access() {
        return access;
    }

    @Override
    public void close() {
        closed.countDown();
        calls.dispatcher().cancelAll();
        owner.close();
    }
}
