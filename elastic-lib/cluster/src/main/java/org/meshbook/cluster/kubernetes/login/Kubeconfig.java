package org.meshbook.cluster.kubernetes.login;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.manifest.ManifestException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// The files from which kubectl and others learn where clusters are and who we are there.
///
/// Of several files the first one that names a thing counts, as kubectl merges them. Read by our
/// own reader, because fabric8's mixes what a login program prints on stderr into its token.
///
/// Source: https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
public final class Kubeconfig {
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /// What kubectl takes a file for that names no kind.
    private static final String HEAD = "apiVersion: v1\nkind: Config\n";

    private static final Pattern KIND = Pattern.compile("(?m)^kind:|\"kind\"");

    private final List<Part> parts;
    private final String source;
    private final Map<String, String> environment;

    /// One file.
    private record Part(Path file, JsonNode json) {
        Path folder() {
            var parent = file.toAbsolutePath().getParent();
            return parent == null ? Path.of("/") : parent;
        }
    }

    /// A named thing and the file that it stands in.
    private record Entry(Part part, JsonNode json) {
        String text(String field) {
            return json.path(field).asString("");
        }

        String path(String field) {
            return part.folder().resolve(text(field)).toString();
        }
    }

    private Kubeconfig(List<Part> parts, String source, Map<String, String> environment) {
        this.parts = parts;
        this.source = source;
        this.environment = environment;
    }

    /// Finds out how a cluster is reached.
    ///
    /// @param file a kubeconfig; empty for what `$KUBECONFIG` names, else `~/.kube/config`, else
    ///   the service account of the pod that this runs in
    /// @param context a context's name; empty for the file's current one
    /// @param environment variables, such as `KUBECONFIG` and `NO_PROXY`
    /// @return how
    /// @throws ClusterUnreachable if there is no such file or context, or it cannot be read
    public static Access access(
            Optional<Path> file, Optional<String> context, Map<String, String> environment) {
        var named = environment.getOrDefault("KUBECONFIG", "");
        var home = Path.of(System.getProperty("user.home"), ".kube", "config");
        List<Path> files;
        if (file.isPresent()) {
            files = List.of(file.get());
        } else if (!named.isBlank()) {
            files = Stream.of(named.split(File.pathSeparator)).map(Path::of).toList();
        } else {
            files = List.of(home);
        }
        var present = files.stream().filter(Files::exists).toList();
        if (!present.isEmpty()) {
            var source = present.stream().map(Path::toString).collect(Collectors.joining(", "));
            return new Kubeconfig(
                            present.stream().map(Kubeconfig::read).toList(), source, environment)
                    .choose(context);
        }
        if (file.isEmpty() && context.isEmpty() && Files.exists(ACCOUNT.resolve("token"))) {
            return account(environment);
        }
        var looked = files.stream().map(Path::toString).collect(Collectors.joining(", "));
        throw new ClusterUnreachable(
                "no kubeconfig at \"%s\"%s; name a file, or set KUBECONFIG"
                        .formatted(
                                looked,
                                file.isEmpty() && named.isBlank() ? " and KUBECONFIG unset" : ""));
    }

    private static Part read(Path file) {
        try {
            var text = Files.readString(file);
            var whole = KIND.matcher(text).find() ? text : HEAD + text;
            var documents = Manifest.read(file.toString(), whole).complete();
            return new Part(
                    file,
                    documents.isEmpty()
                            ? MissingNode.getInstance()
                            : documents.getFirst().root().json());
        } catch (IOException | ManifestException e) {
            throw new ClusterUnreachable(
                    "cannot read the kubeconfig \"%s\": %s".formatted(file, e.getMessage()), e);
        }
    }

    private static Access account(Map<String, String> environment) {
        var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "kubernetes.default.svc");
        var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        var config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(
                                "https://%s:%s"
                                        .formatted(
                                                host.contains(":") ? "[" + host + "]" : host, port))
                        .withCaCertFile(ACCOUNT.resolve("ca.crt").toString())
                        .build();
        var space = "default";
        try {
            space = Files.readString(ACCOUNT.resolve("namespace")).strip();
        } catch (IOException e) {
            // Every pod has the file but those that mount a token only.
        }
        return new Access(
                "service account",
                ACCOUNT.toString(),
                space,
                config,
                Credentials.file(ACCOUNT.resolve("token")));
    }

    private Access choose(Optional<String> asked) {
        var name =
                asked.orElseGet(
                        () ->
                                parts.stream()
                                        .map(p -> p.json().path("current-context").asString(""))
                                        .filter(current -> !current.isEmpty())
                                        .findFirst()
                                        .orElse(""));
        var known = names("contexts");
        if (name.isEmpty()) {
            throw new ClusterUnreachable(
                    "\"%s\" names no current context; use one of %s"
                            .formatted(source, said(known)));
        }
        var context = entry("contexts", "context", name);
        if (context.isEmpty()) {
            throw new ClusterUnreachable(
                    "no context \"%s\" in \"%s\"; %suse one of %s"
                            .formatted(name, source, hint(name, known), said(known)));
        }
        var cluster = required("cluster", name, context.get().text("cluster"));
        var user = context.get().text("user");
        var space = context.get().text("namespace");
        var who =
                user.isEmpty()
                        ? new Entry(cluster.part(), MissingNode.getInstance())
                        : required("user", name, user);
        return new Access(
                name,
                source,
                space.isEmpty() ? "default" : space,
                config(cluster, who),
                credentials(who));
    }

    private List<String> names(String list) {
        return parts.stream()
                .flatMap(part -> part.json().path(list).values().stream())
                .map(each -> each.path("name").asString(""))
                .distinct()
                .toList();
    }

    private Entry required(String what, String context, String name) {
        return entry(what + "s", what, name)
                .orElseThrow(
                        () ->
                                new ClusterUnreachable(
                                        "context \"%s\" names the %s \"%s\", which is not in \"%s\""
                                                .formatted(context, what, name, source)));
    }

    private Optional<Entry> entry(String list, String field, String name) {
        for (var part : parts) {
            for (var each : part.json().path(list).values()) {
                if (each.path("name").asString("").equals(name)) {
                    return Optional.of(new Entry(part, each.path(field)));
                }
            }
        }
        return Optional.empty();
    }

    private Config config(Entry cluster, Entry user) {
        var server = cluster.text("server");
        if (!server.matches("https?://.+")) {
            throw new ClusterUnreachable(
                    "the server \"%s\" in \"%s\" is no address; use https://HOST:PORT"
                            .formatted(server, source));
        }
        var config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(server)
                        .withTrustCerts(
                                cluster.json().path("insecure-skip-tls-verify").asBoolean(false));
        if (!cluster.text("tls-server-name").isEmpty()) {
            config.withTlsServerName(cluster.text("tls-server-name"));
        }
        if (!cluster.text("certificate-authority-data").isEmpty()) {
            config.withCaCertData(cluster.text("certificate-authority-data"));
        } else if (!cluster.text("certificate-authority").isEmpty()) {
            config.withCaCertFile(cluster.path("certificate-authority"));
        }
        if (!user.text("client-certificate-data").isEmpty()) {
            config.withClientCertData(user.text("client-certificate-data"));
        } else if (!user.text("client-certificate").isEmpty()) {
            config.withClientCertFile(user.path("client-certificate"));
        }
        if (!user.text("client-key-data").isEmpty()) {
            config.withClientKeyData(user.text("client-key-data"));
        } else if (!user.text("client-key").isEmpty()) {
            config.withClientKeyFile(user.path("client-key"));
        }
        var proxy = cluster.text("proxy-url");
        proxy = proxy.isEmpty() ? variable("HTTPS_PROXY") : proxy;
        if (!proxy.isEmpty()) {
            config.withHttpsProxy(proxy).withHttpProxy(proxy);
        }
        if (cluster.text("proxy-url").isEmpty() && !variable("NO_PROXY").isEmpty()) {
            config.withNoProxy(variable("NO_PROXY").split("\\s*,\\s*"));
        }
        return config.build();
    }

    private String variable(String name) {
        return environment.getOrDefault(
                name, environment.getOrDefault(name.toLowerCase(Locale.ROOT), ""));
    }

    private Credentials credentials(Entry user) {
        if (user.json().has("exec")) {
            return new ExecPlugin(
                    user.json().path("exec"), user.part().folder(), InstantSource.system());
        }
        if (!user.text("token").isEmpty()) {
            return Credentials.token(user.text("token"));
        }
        if (!user.text("tokenFile").isEmpty()) {
            return Credentials.file(Path.of(user.path("tokenFile")));
        }
        if (!user.text("username").isEmpty()) {
            return Credentials.password(user.text("username"), user.text("password"));
        }
        if (user.json().has("auth-provider")) {
            throw new ClusterUnreachable(
                    "the user in \"%s\" logs in by \"auth-provider\", which Kubernetes 1.26 gave up;"
                                    .formatted(source)
                            + " use a login program (exec)");
        }
        return Credentials.none();
    }

    private static String said(List<String> names) {
        return names.isEmpty() ? "(none)" : String.join(", ", names);
    }

    private static String hint(String typed, List<String> known) {
        return known.stream()
                .filter(name -> distance(typed, name) <= Math.max(1, typed.length() / 3))
                .min((a, b) -> Integer.compare(distance(typed, a), distance(typed, b)))
                .map("did you mean \"%s\"? "::formatted)
                .orElse("");
    }

    private static int distance(String a, String b) {
        var row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = corner + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                corner = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
