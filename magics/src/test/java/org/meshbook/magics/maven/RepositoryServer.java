package org.meshbook.magics.maven;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// A Maven repository in a folder, in the layout that Maven deploys to, served over loopback. It is
/// a proxy as well: what is asked of another host is answered from the same folder.
public final class RepositoryServer implements AutoCloseable {
    private final Path folder;
    private final HttpServer server;
    private final Map<String, List<String>> versions = new LinkedHashMap<>();
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /// Every path that was asked for, with its host if it was asked as a proxy.
    final List<String> asked = new CopyOnWriteArrayList<>();

    private volatile @Nullable String credentials;
    private volatile @Nullable String stall;

    public RepositoryServer(Path folder) throws IOException {
        this.folder = folder;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/repo";
    }

    int port() {
        return server.getAddress().getPort();
    }

    /// Wants basic authentication from now on.
    void protect(String user, String password) {
        credentials =
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString((user + ":" + password).getBytes(UTF_8));
    }

    /// Stops in the middle of the file whose path ends so.
    void stallAt(String ending) {
        stall = ending;
    }

    /// Waits until that file was asked for.
    void awaitStall() throws InterruptedException {
        stalled.await();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var uri = exchange.getRequestURI();
            asked.add(uri.getHost() == null ? uri.getPath() : uri.getHost() + uri.getPath());
            var wanted = credentials;
            var given = exchange.getRequestHeaders().getFirst("Authorization");
            if (wanted != null && !wanted.equals(given)) {
                exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"test\"");
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            var file = folder.resolve(uri.getPath().replaceFirst("^/repo/", ""));
            if (!Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            send(exchange, file);
        }
    }

    private void send(HttpExchange exchange, Path file) throws IOException {
        var bytes = Files.readAllBytes(file);
        var at = stall;
        if (at == null || !file.toString().endsWith(at)) {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            return;
        }
        exchange.sendResponseHeaders(200, bytes.length + 1_000_000);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().flush();
        stalled.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A library that is published: `class p.NAME { static String version() }`.
    ///
    /// @param coordinates `group:artifact:version`
    /// @param dependencies XML below `dependencies`
    public void library(String coordinates, String... dependencies) {
        var c = coordinates.split(":");
        var type = type(c[1]);
        var source =
                "package p; public class %s { public static String version() { return \"%s\"; } }"
                        .formatted(type, c[2]);
        put(c, "", "jar", jar(Map.of("p/" + type, source), Map.of()));
        pom(coordinates, "", dependencies(dependencies));
    }

    /// @return name of the class in a library
    static String type(String artifact) {
        return artifact.substring(0, 1).toUpperCase(java.util.Locale.ROOT)
                + artifact.substring(1).replace("-", "");
    }

    public static String dependencies(String... dependencies) {
        return "<dependencies>" + String.join("", dependencies) + "</dependencies>";
    }

    /// @param coordinates `group:artifact[:version[:scope]]`
    public static String needs(String coordinates, String... more) {
        var c = coordinates.split(":");
        return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s%s%s</dependency>"
                .formatted(
                        c[0],
                        c[1],
                        c.length > 2 ? "<version>" + c[2] + "</version>" : "",
                        c.length > 3 ? "<scope>" + c[3] + "</scope>" : "",
                        String.join("", more));
    }

    /// @param packaging empty for a jar
    public void pom(String coordinates, String packaging, String body) {
        var c = coordinates.split(":");
        var text =
                """
                <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
                <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>%s%s</project>
                """
                        .formatted(
                                c[0],
                                c[1],
                                c[2],
                                packaging.isEmpty()
                                        ? ""
                                        : "<packaging>" + packaging + "</packaging>",
                                body);
        put(c, "", "pom", text.getBytes(UTF_8));
        versions.computeIfAbsent(c[0] + ":" + c[1], _ -> new ArrayList<>()).add(c[2]);
        index(c[0], c[1]);
    }

    /// Publishes another file of a library.
    void put(String coordinates, String classifier, String extension, byte[] bytes) {
        put(coordinates.split(":"), classifier, extension, bytes);
    }

    private void put(String[] c, String classifier, String extension, byte[] bytes) {
        var snapshot = c[2].endsWith("-SNAPSHOT");
        var version = snapshot ? c[2].replace("SNAPSHOT", "20260102.030405-7") : c[2];
        var name =
                c[1]
                        + "-"
                        + version
                        + (classifier.isEmpty() ? "" : "-" + classifier)
                        + "."
                        + extension;
        var place = folder.resolve(c[0].replace('.', '/')).resolve(c[1]).resolve(c[2]);
        write(place.resolve(name), bytes);
        if (snapshot) {
            snapshot(c, place, classifier, extension, version);
        }
    }

    private final Map<Path, List<String>> parts = new LinkedHashMap<>();

    private void snapshot(
            String[] c, Path place, String classifier, String extension, String version) {
        var all = parts.computeIfAbsent(place, _ -> new ArrayList<>());
        all.add(
                "<snapshotVersion>%s<extension>%s</extension><value>%s</value><updated>20260102030405</updated></snapshotVersion>"
                        .formatted(
                                classifier.isEmpty()
                                        ? ""
                                        : "<classifier>" + classifier + "</classifier>",
                                extension,
                                version));
        write(
                place.resolve("maven-metadata.xml"),
                """
                <metadata modelVersion="1.1.0"><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
                <versioning><snapshot><timestamp>20260102.030405</timestamp><buildNumber>7</buildNumber></snapshot>
                <lastUpdated>20260102030405</lastUpdated><snapshotVersions>%s</snapshotVersions></versioning></metadata>
                """
                        .formatted(c[0], c[1], c[2], String.join("", all))
                        .getBytes(UTF_8));
    }

    private void index(String group, String artifact) {
        var all = versions.getOrDefault(group + ":" + artifact, List.of());
        var releases = all.stream().filter(v -> !v.endsWith("-SNAPSHOT")).toList();
        var text =
                """
                <metadata><groupId>%s</groupId><artifactId>%s</artifactId><versioning>
                <latest>%s</latest>%s<versions>%s</versions><lastUpdated>20260102030405</lastUpdated>
                </versioning></metadata>
                """
                        .formatted(
                                group,
                                artifact,
                                all.getLast(),
                                releases.isEmpty()
                                        ? ""
                                        : "<release>" + releases.getLast() + "</release>",
                                all.stream()
                                        .map(v -> "<version>" + v + "</version>")
                                        .collect(Collectors.joining()));
        write(
                folder.resolve(group.replace('.', '/'))
                        .resolve(artifact)
                        .resolve("maven-metadata.xml"),
                text.getBytes(UTF_8));
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
            var digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
            Files.writeString(file.resolveSibling(file.getFileName() + ".sha1"), digest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Damages what is served, but not its checksum.
    void corrupt(String path) throws IOException {
        Files.writeString(folder.resolve(path), "not what was published");
    }

    /// @param sources class name with `/` to source
    /// @param files path to text
    /// @return a jar of the compiled classes and the files
    public static byte[] jar(Map<String, String> sources, Map<String, String> files) {
        try {
            var out = Files.createTempDirectory("classes");
            for (var each : sources.entrySet()) {
                var source = out.resolve(each.getKey() + ".java");
                Files.createDirectories(source.getParent());
                Files.writeString(source, each.getValue());
                var compiled =
                        ToolProvider.getSystemJavaCompiler()
                                .run(null, null, null, "-proc:none", "-d", "" + out, "" + source);
                if (compiled != 0) {
                    throw new IllegalStateException("does not compile: " + each);
                }
            }
            var bytes = new ByteArrayOutputStream();
            try (var jar = new JarOutputStream(bytes);
                    var classes = Files.walk(out)) {
                for (var file : classes.filter(f -> f.toString().endsWith(".class")).toList()) {
                    jar.putNextEntry(new JarEntry(out.relativize(file).toString()));
                    jar.write(Files.readAllBytes(file));
                }
                for (var each : files.entrySet()) {
                    jar.putNextEntry(new JarEntry(each.getKey()));
                    jar.write(each.getValue().getBytes(UTF_8));
                }
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @return the folder's address, for a repository without a server
    URI files() {
        return folder.toUri();
    }

    @Override
    public void close() {
        released.countDown();
        server.stop(0);
    }
}
