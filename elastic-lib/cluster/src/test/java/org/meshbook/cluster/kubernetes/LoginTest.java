package org.meshbook.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.cluster.kubernetes.FakeServer.HASTY;
import static org.meshbook.cluster.kubernetes.FakeServer.list;
import static org.meshbook.cluster.kubernetes.FakeServer.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.embedded.EmbeddedCluster;
import org.meshbook.cluster.embedded.Settings;
import org.meshbook.cluster.kubernetes.login.Kubeconfig;
import org.meshbook.cluster.rest.ApiServer;

/// How a cluster is found and how it learns who asks.
@Timeout(60)
class LoginTest {
    private static final String PLUGIN =
            """
            #!/bin/sh
            cd "$(dirname "$0")"
            echo "WARNING: this login program is old" >&2
            echo run >> runs
            n=$(wc -l < runs)
            echo '{"kind":"ExecCredential","status":{"token":"t'$n'"%s}}'
            """;

    @TempDir private Path folder;

    private String plugin(String text) throws IOException {
        var file = folder.resolve("login");
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login}}";
    }

    private long runs() throws IOException {
        try (var lines = Files.lines(folder.resolve("runs"))) {
            return lines.count();
        }
    }

    @Test
    void aLoginProgramRunsOnceAndMayWarnOnStderr() throws Exception {
        try (var server = server();
                var cluster =
                        new KubernetesCluster(
                                server.access(folder, plugin(PLUGIN.formatted(""))), HASTY)) {
            cluster.list(Kinds.POD, "");
            cluster.list(Kinds.POD, "");
            assertThat(server.headers()).containsExactly("Bearer t1", "Bearer t1");
            assertThat(runs()).isEqualTo(1);
        }
    }

    private static FakeServer server() throws IOException {
        return new FakeServer((_, e) -> list(e, "1", ""), (_, e) -> list(e, "1", ""));
    }

    @Test
    void aTokenThatIsNoLongerAcceptedIsRenewedOnceAndTheRequestSentAgain() throws Exception {
        try (var server =
                        new FakeServer(
                                (_, exchange) -> {
                                    var shown =
                                            exchange.getRequestHeaders().getFirst("Authorization");
                                    if ("Bearer t2".equals(shown)) {
                                        list(exchange, "1", "");
                                    } else {
                                        send(
                                                exchange,
                                                401,
                                                "{\"kind\":\"Status\",\"code\":401,\"reason\":"
                                                        + "\"Unauthorized\",\"message\":"
                                                        + "\"Unauthorized\"}");
                                    }
                                },
                                (_, exchange) -> send(exchange, 500, ""));
                var cluster =
                        new KubernetesCluster(
                                server.access(folder, plugin(PLUGIN.formatted(""))), HASTY)) {
            assertThat(cluster.list(Kinds.POD, "")).isEmpty();
            assertThat(server.headers()).containsExactly("Bearer t1", "Bearer t2");
            // Nobody accepts t3: asked once more, then told.
            Files.writeString(folder.resolve("runs"), "a\nb\nc\n");
            cluster.list(Kinds.POD, "");
            assertThat(server.headers()).hasSize(3);
        }
        try (var server =
                        new FakeServer(
                                (_, exchange) -> send(exchange, 401, "who are you"),
                                (_, exchange) -> send(exchange, 500, ""));
                var cluster =
                        new KubernetesCluster(
                                server.access(folder, plugin(PLUGIN.formatted(""))), HASTY)) {
            assertThatThrownBy(() -> cluster.list(Kinds.POD, ""))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("/api/v1/pods: 401 who are you");
            assertThat(server.headers()).hasSize(2);
        }
    }

    @Test
    void aTokenWhoseTimeIsOverIsNotShown() throws Exception {
        var over = PLUGIN.formatted(",\"expirationTimestamp\":\"2020-01-01T00:00:00Z\"");
        try (var server = server();
                var cluster = new KubernetesCluster(server.access(folder, plugin(over)), HASTY)) {
            cluster.list(Kinds.POD, "");
            cluster.list(Kinds.POD, "");
            assertThat(server.headers()).containsExactly("Bearer t1", "Bearer t2");
        }
    }

    @Test
    void aLoginProgramThatFailsSaysWhy() throws Exception {
        var failing = plugin("#!/bin/sh\necho 'first line' >&2\necho 'log in first' >&2\nexit 3\n");
        assertUnreachable(
                failing,
                "the login program \"./login\" ended with 3: log in first; run it by hand to see"
                        + " more");
        assertUnreachable(
                plugin("#!/bin/sh\necho hello\n"),
                "the login program \"./login\" printed no ExecCredential; run it by hand to see"
                        + " more");
        assertUnreachable(
                "{exec: {command: no-such-program, installHint: get it from the vendor}}",
                "the login program \"no-such-program\" cannot be started; get it from the vendor;"
                        + " run it by hand to see more");
    }

    private void assertUnreachable(String user, String message) throws IOException {
        try (var server = server();
                var cluster = new KubernetesCluster(server.access(folder, user), HASTY)) {
            assertThatThrownBy(() -> cluster.list(Kinds.POD, ""))
                    .isInstanceOf(ClusterUnreachable.class)
                    .hasMessage(message);
        }
    }

    @Test
    void aProxyIsUsedButForHostsThatAreExcepted() throws Exception {
        try (var server = server();
                var proxy = server()) {
            server.access(folder, "{}");
            var file = Optional.of(folder.resolve("kubeconfig"));
            var through = Map.of("HTTPS_PROXY", proxy.address());
            var around = Map.of("HTTPS_PROXY", proxy.address(), "NO_PROXY", "10.0.0.0/8,127.0.0.1");
            try (var cluster =
                    new KubernetesCluster(
                            Kubeconfig.access(file, Optional.empty(), through), HASTY)) {
                cluster.list(Kinds.POD, "");
            }
            assertThat(proxy.lists).hasValue(1);
            assertThat(server.lists).hasValue(0);
            try (var cluster =
                    new KubernetesCluster(
                            Kubeconfig.access(file, Optional.empty(), around), HASTY)) {
                cluster.list(Kinds.POD, "");
            }
            assertThat(proxy.lists).hasValue(1);
            assertThat(server.lists).hasValue(1);
        }
    }

    @Test
    void whatCannotBeOpenedSaysWhatToDo() throws Exception {
        var missing = folder.resolve("none");
        assertThatThrownBy(
                        () -> Kubeconfig.access(Optional.of(missing), Optional.empty(), Map.of()))
                .hasMessage(
                        "no kubeconfig at \"%s\"; name a file, or set KUBECONFIG"
                                .formatted(missing));
        String address;
        try (var server = server()) {
            address = server.address();
            server.access(folder, "{}");
        }
        var file = folder.resolve("kubeconfig");
        assertThatThrownBy(
                        () -> Kubeconfig.access(Optional.of(file), Optional.of("fakee"), Map.of()))
                .hasMessage(
                        "no context \"fakee\" in \"%s\"; did you mean \"fake\"? use one of fake"
                                .formatted(file));
        try (var cluster = Clusters.open(Optional.of(file), Optional.empty())) {
            assertThatThrownBy(() -> cluster.list(Kinds.POD, ""))
                    .isInstanceOf(ClusterUnreachable.class)
                    .hasMessage(
                            "cluster \"fake\" at %s/ does not answer (Connection refused); is it"
                                            .formatted(address)
                                    + " running?");
        }
        Files.writeString(file, "a: [1");
        assertThatThrownBy(() -> Clusters.open(Optional.of(file), Optional.empty()))
                .isInstanceOf(ClusterUnreachable.class)
                .hasMessageStartingWith("cannot read the kubeconfig \"%s\":".formatted(file));
    }

    @Test
    void aServerWhoseCertificateIsNotTrustedIsNotAsked() throws Exception {
        var file = folder.resolve("config");
        try (var server = ApiServer.start(EmbeddedCluster.open(Settings.defaults()), "secret", 0)) {
            server.writeKubeconfig(file);
            var text = Files.readString(file).replaceAll("certificate-authority-data:.*", "");
            Files.writeString(file, text);
            try (var cluster = Clusters.open(Optional.of(file), Optional.empty())) {
                assertThatThrownBy(() -> cluster.list(Kinds.POD, ""))
                        .isInstanceOf(ClusterUnreachable.class)
                        .hasMessageStartingWith(
                                "cluster \"meshbook\" at %s/ has a certificate that is not trusted ("
                                        .formatted(server.address()))
                        .hasMessageEndingWith(
                                "; check certificate-authority in \"%s\"".formatted(file));
            }
        }
    }
}
