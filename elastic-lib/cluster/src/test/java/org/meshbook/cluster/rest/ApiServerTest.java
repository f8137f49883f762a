package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Exec;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.embedded.EmbeddedCluster;
import org.meshbook.cluster.embedded.Settings;
import tools.jackson.databind.JsonNode;

/// A cluster as a client over HTTP sees it.
@Timeout(60)
class ApiServerTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final Cluster cluster = EmbeddedCluster.open(Settings.defaults());
    private HttpClient http;
    private ApiServer server;

    @BeforeEach
    void start() throws Exception {
        server =
                ApiServer.start(
                        cluster,
                        Profile.V0_17,
                        this::print,
                        this::run,
                        Credentials.fresh("secret", 0));
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "server",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(server.certificate().getBytes(US_ASCII))));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        http = HttpClient.newBuilder().sslContext(context).build();
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        server.close();
    }

    /// A node whose pods print two lines.
    private void print(ResourceKey pod, Logs.Options options, Logs.Lines lines) {
        if (!pod.name().equals("one")) {
            throw ApiException.notFound(Kinds.POD, pod.name());
        }
        lines.line("first " + options.container());
        lines.line("second");
    }

    /// A node whose commands print where they run and end with 3.
    private int run(ResourceKey pod, Exec.Command command, Exec.Streams streams) {
        if (!pod.name().equals("one")) {
            throw ApiException.notFound(Kinds.POD, pod.name());
        }
        streams.started();
        streams.out(String.join(" ", command.words()).getBytes(US_ASCII));
        streams.err("beside".getBytes(US_ASCII));
        return 3;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.address().resolve(path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer secret");
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        var type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return http.send(
                request(path)
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> reply) {
        return Json.MAPPER.readTree(reply.body());
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return json(send("GET", path, ""));
    }

    private static String map(String name, String labels, String value) {
        return """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","labels":%s},"data":{"a":"%s"}}
        """
                .formatted(name, labels, value);
    }

    @Test
    void whoShowsNoTokenIsRefused() throws Exception {
        var reply =
                http.send(
                        HttpRequest.newBuilder(URI.create(server.address() + "/api/v1/pods"))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(401);
        assertThat(json(reply).path("reason").asString()).isEqualTo("Unauthorized");
        assertThat(server.address().getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void anObjectIsCreatedReadChangedAndDeleted() throws Exception {
        var made = send("POST", MAPS, map("one", "{}", "1"));
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(json(made).path("metadata").path("uid").asString()).isNotEmpty();
        assertThat(get(MAPS + "/one").path("data").path("a").asString()).isEqualTo("1");

        var patched = send("PATCH", MAPS + "/one", "{\"data\":{\"a\":null,\"b\":\"2\"}}");
        assertThat(patched.statusCode()).isEqualTo(200);
        assertThat(json(patched).path("data").toString()).isEqualTo("{\"b\":\"2\"}");

        assertThat(send("DELETE", MAPS + "/one", "").statusCode()).isEqualTo(200);
        var gone = send("GET", MAPS + "/one", "");
        assertThat(gone.statusCode()).isEqualTo(404);
        assertThat(json(gone).path("message").asString()).isEqualTo("configmaps \"one\" not found");
    }

    @Test
    void aStaleWriteIsRefusedAndAPatchWithoutVersionIsNot() throws Exception {
        var made = json(send("POST", MAPS, map("one", "{}", "1")));
        send("PATCH", MAPS + "/one", "{\"data\":{\"b\":\"2\"}}");
        var stale = send("PUT", MAPS + "/one", made.toString());
        assertThat(stale.statusCode()).isEqualTo(409);
        assertThat(json(stale).path("reason").asString()).isEqualTo("Conflict");
        assertThat(get(MAPS + "/one").path("data").toString())
                .isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "labelSelector=team%3Da | one,two",
                "labelSelector=team%21%3Da | kube-root,three",
                "labelSelector=team+in+%28a%2Cb%29 | one,three,two",
                "labelSelector=%21team | kube-root",
                "labelSelector=team%3Da%2Cold | two",
                "fieldSelector=metadata.name%3Dthree | three",
            })
    void selectorsMeanSomeOfThem(String query, String names) throws Exception {
        send("POST", MAPS, map("kube-root", "{}", "1"));
        send("POST", MAPS, map("one", "{\"team\":\"a\"}", "1"));
        send("POST", MAPS, map("two", "{\"team\":\"a\",\"old\":\"\"}", "1"));
        send("POST", MAPS, map("three", "{\"team\":\"b\"}", "1"));
        var found = get(MAPS + "?" + query.strip()).path("items");
        assertThat(found.values().stream().map(o -> o.path("metadata").path("name").asString()))
                .containsExactly(names.split(","));
    }

    @Test
    void whoWantsRowsToPrintGetsThem() throws Exception {
        send("POST", MAPS, map("one", "{}", "1"));
        var reply =
                http.send(
                        request(MAPS)
                                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                                .build(),
                        BodyHandlers.ofString());
        var table = json(reply);
        assertThat(table.path("kind").asString()).isEqualTo("Table");
        assertThat(table.at("/columnDefinitions/0/name").asString()).isEqualTo("NAME");
        assertThat(table.at("/rows/0/cells/0").asString()).isEqualTo("one");
        assertThat(table.at("/rows/0/object/metadata/name").asString()).isEqualTo("one");
    }

    @Test
    void aWatchTellsWhatComesAfterTheVersionThatTheClientKnows() throws Exception {
        send("POST", MAPS, map("one", "{}", "1"));
        var list = get(MAPS);
        var version = list.path("metadata").path("resourceVersion").asString();
        var watch =
                http.send(
                        request(MAPS + "?watch=1&timeoutSeconds=30&resourceVersion=" + version)
                                .build(),
                        BodyHandlers.ofLines());
        send("POST", MAPS, map("two", "{}", "1"));
        send("PATCH", MAPS + "/two", "{\"data\":{\"a\":\"2\"}}");
        send("DELETE", MAPS + "/two", "");
        var lines = watch.body().limit(3).map(Json.MAPPER::readTree).toList();
        assertThat(lines)
                .extracting(line -> line.path("type").asString())
                .containsExactly("ADDED", "MODIFIED", "DELETED");
        assertThat(lines).allMatch(l -> l.at("/object/metadata/name").asString("").equals("two"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /apis/nobody.io/v1/things, 404, NotFound",
        "POST, /api/v1/namespaces/default/configmaps/one, 405, MethodNotAllowed",
        "POST, /api/v1/namespaces/default/configmaps, 400, BadRequest",
        "PUT, /api/v1/namespaces/default/configmaps/one, 400, BadRequest",
        "GET, /api/v1/configmaps?labelSelector=a+b+c, 400, BadRequest",
    })
    void whatCannotBeDoneIsSaidAsTheApiSaysIt(String method, String path, int code, String reason)
            throws Exception {
        var reply = send(method, path, method.equals("GET") ? "" : "[1");
        assertThat(reply.statusCode()).isEqualTo(code);
        assertThat(json(reply).path("reason").asString()).isEqualTo(reason);
        assertThat(get("/version").path("major").asString()).isEqualTo("1");
    }

    @Test
    void whatClientsNeedIsWrittenForTheUserAlone(@TempDir Path folder) throws Exception {
        var file = folder.resolve("kubeconfig");
        server.writeKubeconfig(file);
        server.writeKubeconfig(file);
        assertThat(Files.readString(file)).contains("server: " + server.address(), "token: secret");
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    }

    @Test
    void clientsFindWhatIsServed() throws Exception {
        assertThat(get("/apis").toString()).contains("kueue.x-k8s.io/v1beta2", "batch/v1");
        for (var kind : Kinds.all()) {
            var path = (kind.group().isEmpty() ? "/api/" : "/apis/") + kind.apiVersion();
            assertThat(get(path).path("resources").values())
                    .anyMatch(r -> r.path("name").asString("").equals(kind.plural()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/log | 200 | 'first \\nsecond\\n'",
                "/log?container=main | 200 | 'first main\\nsecond\\n'",
                "/log?limitBytes=8 | 200 | 'first \\ns'",
            })
    void whatAPodPrintsIsPlainText(String path, int code, String text) throws Exception {
        var reply = send("GET", "/api/v1/namespaces/default/pods/one" + path, "");
        assertThat(reply.statusCode()).isEqualTo(code);
        assertThat(reply.headers().firstValue("Content-Type")).contains("text/plain");
        assertThat(reply.body()).isEqualTo(text.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "two/log, 404, NotFound",
        "one/log?tailLines=-1, 422, Invalid",
        "one/log?sinceTime=yesterday, 422, Invalid",
    })
    void aLogThatCannotBeReadIsAStatus(String path, int code, String reason) throws Exception {
        var reply = send("GET", "/api/v1/namespaces/default/pods/" + path, "");
        assertThat(reply.statusCode()).isEqualTo(code);
        assertThat(json(reply).path("reason").asString()).isEqualTo(reason);
    }

    private HttpResponse<String> patch(String path, String operations) throws Exception {
        return http.send(
                request(path)
                        .header("Content-Type", "application/json-patch+json")
                        .method("PATCH", BodyPublishers.ofString(operations.replace('\'', '"')))
                        .build(),
                BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{'op':'add','path':'/data/b','value':'2'}] | {'a':'1','b':'2'}",
                "[{'op':'replace','path':'/data/a','value':'3'}] | {'a':'3'}",
                "[{'op':'move','from':'/data/a','path':'/data/x~1y'}] | {'x/y':'1'}",
                "[{'op':'copy','from':'/data/a','path':'/data/c'}] | {'a':'1','c':'1'}",
                "[{'op':'test','path':'/data/a','value':'1'},{'op':'remove','path':'/data/a'}] | {}",
            },
            quoteCharacter = '^')
    void operationsOfAJsonPatchAreDoneInOrder(String operations, String data) throws Exception {
        send("POST", MAPS, map("one", "{}", "1"));
        var reply = patch(MAPS + "/one", operations);
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(get(MAPS + "/one").path("data"))
                .isEqualTo(Json.MAPPER.readTree(data.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{'op':'test','path':'/data/a','value':'2'},{'op':'remove','path':'/data/a'}]",
                "[{'op':'remove','path':'/data/none'}]",
                "[{'op':'add','path':'/none/a','value':'2'}]",
                "[{'op':'add','path':'/data/a'}]",
                "[{'op':'dream','path':'/data/a'}]",
            })
    void aJsonPatchThatCannotBeDoneChangesNothing(String operations) throws Exception {
        send("POST", MAPS, map("one", "{}", "1"));
        var reply = patch(MAPS + "/one", operations);
        assertThat(reply.statusCode()).isEqualTo(422);
        assertThat(get(MAPS + "/one").path("data").toString()).isEqualTo("{\"a\":\"1\"}");
    }

    private static byte[] field(int number, byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        var out = new ByteArrayOutputStream();
        out.write(number << 3 | 2);
        out.write(all.size());
        out.writeBytes(all.toByteArray());
        return out.toByteArray();
    }

    private static byte[] text(int number, String text) {
        return field(number, text.getBytes(US_ASCII));
    }

    private HttpResponse<String> protobuf(String path, String kind, byte[] object)
            throws Exception {
        var body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {'k', '8', 's', 0});
        body.writeBytes(field(1, text(1, "v1"), text(2, kind)));
        body.writeBytes(field(2, object));
        return http.send(
                request(path)
                        .header("Content-Type", "application/vnd.kubernetes.protobuf")
                        .POST(BodyPublishers.ofByteArray(body.toByteArray()))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void whatKubectlCreatesAsProtobufIsRead() throws Exception {
        var map = new ByteArrayOutputStream();
        map.writeBytes(field(1, text(1, "one"), field(11, text(1, "team"), text(2, "a"))));
        map.writeBytes(field(2, text(1, "f.txt"), text(2, "hello")));
        map.writeBytes(field(3, text(1, "w"), field(2, new byte[] {1})));
        assertThat(protobuf(MAPS, "ConfigMap", map.toByteArray()).statusCode()).isEqualTo(201);
        var made = get(MAPS + "/one");
        assertThat(made.at("/data/f.txt").asString()).isEqualTo("hello");
        assertThat(made.at("/binaryData/w").asString()).isEqualTo("AQ==");
        assertThat(made.at("/metadata/labels/team").asString()).isEqualTo("a");
        assertThat(protobuf("/api/v1/namespaces", "Namespace", field(1, text(1, "b"))).statusCode())
                .isEqualTo(201);
        assertThat(protobuf(MAPS, "Secret", new byte[0]).statusCode()).isEqualTo(415);
        assertThat(protobuf(MAPS, "ConfigMap", new byte[] {10, 99}).statusCode()).isEqualTo(415);
    }

    @Test
    void kubectlLearnsThatTheServerChecksFields() throws Exception {
        var index = get("/openapi/v3").path("paths");
        for (var kind : Kinds.all()) {
            var base = (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
            var document = get(index.path(base).path("serverRelativeURL").asString());
            assertThat(document.path("paths").values())
                    .anyMatch(
                            path ->
                                    path.at("/patch/x-kubernetes-group-version-kind/kind")
                                                    .asString()
                                                    .equals(kind.kind())
                                            && path.at("/patch/parameters/0/name")
                                                    .asString()
                                                    .equals("fieldValidation"));
        }
    }

    private List<String> exec(String path) throws Exception {
        var messages = new LinkedBlockingQueue<String>();
        http.newWebSocketBuilder()
                .header("Authorization", "Bearer secret")
                .subprotocols("v5.channel.k8s.io")
                .buildAsync(
                        URI.create(
                                "wss"
                                        + server.address().toString().substring("https".length())
                                        + "/api/v1/namespaces/default/pods/"
                                        + path),
                        new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onBinary(
                                    WebSocket socket, ByteBuffer data, boolean last) {
                                messages.add(data.get() + US_ASCII.decode(data).toString());
                                return WebSocket.Listener.super.onBinary(socket, data, last);
                            }

                            @Override
                            public CompletionStage<?> onClose(
                                    WebSocket socket, int code, String reason) {
                                messages.add("closed");
                                return CompletableFuture.completedFuture(code);
                            }
                        })
                .get(20, TimeUnit.SECONDS);
        var all = new ArrayList<String>();
        while (!all.contains("closed")) {
            var next = messages.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("after %s", all).isNotNull();
            all.add(next);
        }
        return all;
    }

    @Test
    @DisplayName("fabric8#5159: the exit code of a command comes on a channel of its own")
    void aCommandTalksOnChannelsAndSaysHowItEnded() throws Exception {
        var said = exec("one/exec?command=ls&command=-l&stdout=true&stderr=true");
        assertThat(said.subList(0, 2)).containsExactly("1ls -l", "2beside");
        assertThat(said.get(2)).startsWith("3{").contains("NonZeroExitCode", "\"message\":\"3\"");
        assertThat(said.getLast()).isEqualTo("closed");
    }

    @ParameterizedTest
    @CsvSource({
        "two/exec?command=ls, 400, WebSockets",
        "one/attach, 400, attach is not served",
        "one/portforward, 400, status.podIP",
    })
    void whatCannotBeCarriedIsAStatus(String path, int code, String said) throws Exception {
        var reply = send("GET", "/api/v1/namespaces/default/pods/" + path, "");
        assertThat(reply.statusCode()).isEqualTo(code);
        assertThat(json(reply).path("message").asString()).contains(said);
    }
}
