package org.meshbook.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.meshbook.cluster.metrics.Scrape;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A real Prometheus that scrapes one cluster, on a port of loopback.
///
/// It is `$MESHBOOK_PROMETHEUS`, else `prometheus` on the path.
final class Prometheus implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final URI address;

    /// One series of an answer.
    record Series(Map<String, String> labels, double value) {}

    private Prometheus(Process process, int port) {
        this.process = process;
        address = URI.create("http://127.0.0.1:" + port);
    }

    /// Starts one; aborts the test where there is none to start.
    static Prometheus start(Path folder, Scrape scrape, String cluster) throws IOException {
        var program = program();
        Files.createDirectories(folder);
        var config = folder.resolve("prometheus.yml");
        Files.writeString(config, "global: {scrape_interval: 500ms, scrape_timeout: 500ms}\n");
        Files.writeString(config, scrape.config(cluster), StandardOpenOption.APPEND);
        int port = freePort();
        var process =
                new ProcessBuilder(
                                program.toString(),
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + folder.resolve("data"),
                                "--web.listen-address=127.0.0.1:" + port,
                                "--log.level=warn")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        return new Prometheus(process, port);
    }

    private static Path program() {
        var path = System.getenv().getOrDefault("PATH", "").split(":");
        return Stream.concat(
                        Stream.ofNullable(System.getenv("MESHBOOK_PROMETHEUS")).map(Path::of),
                        Stream.of(path).map(folder -> Path.of(folder, "prometheus")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(
                        () ->
                                abort(
                                        "no Prometheus here; apt-get install prometheus, or set"
                                                + " MESHBOOK_PROMETHEUS"));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// @param query PromQL
    /// @return its series now; none while Prometheus starts
    /// @throws AssertionError if it is no PromQL
    List<Series> ask(String query) throws InterruptedException {
        try {
            var answer =
                    http.send(
                            HttpRequest.newBuilder(
                                            address.resolve(
                                                    "/api/v1/query?query="
                                                            + URLEncoder.encode(query, UTF_8)))
                                    .timeout(Duration.ofSeconds(20))
                                    .build(),
                            BodyHandlers.ofString());
            return series(query, JSON.readTree(answer.body()));
        } catch (IOException starting) {
            if (!process.isAlive()) {
                throw new AssertionError("Prometheus ended", starting);
            }
            return List.of();
        }
    }

    private static List<Series> series(String query, JsonNode answer) {
        if (!answer.path("status").asString("").equals("success")) {
            throw new AssertionError(query + ": " + answer.path("error").asString(""));
        }
        var all = new ArrayList<Series>();
        for (var each : answer.path("data").path("result")) {
            var labels = new LinkedHashMap<String, String>();
            each.path("metric")
                    .properties()
                    .forEach(l -> labels.put(l.getKey(), l.getValue().asString("")));
            all.add(new Series(labels, number(each.path("value").path(1).asString(""))));
        }
        return all;
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace("Inf", "Infinity"));
    }

    /// @return the value of the only series, NaN if there is none
    double value(String query) throws InterruptedException {
        var all = ask(query);
        if (all.size() > 1) {
            throw new AssertionError("%d series: %s".formatted(all.size(), query));
        }
        return all.isEmpty() ? Double.NaN : all.getFirst().value();
    }

    @Override
    public void close() {
        http.shutdownNow();
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
