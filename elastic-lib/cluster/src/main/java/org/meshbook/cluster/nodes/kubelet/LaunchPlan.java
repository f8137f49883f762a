package org.meshbook.cluster.nodes.kubelet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.nodes.process.Images;
import org.meshbook.cluster.nodes.process.Launch;
import tools.jackson.databind.JsonNode;

/// Works out with what a container is started: its program, its environment, its files.
///
/// A container sees this machine's files; only its volumes are folders of its own. Where its
/// command, its arguments or its variables name a path below a mount, they are changed to name that
/// folder. Host names of pods are changed to their addresses, for nobody resolves them here.
///
/// Steps: image → volumes → variables → command → Launch.
final class LaunchPlan {
    /// What a container has of this process's environment: how to find programs and the network.
    private static final Pattern INHERITED =
            Pattern.compile(
                    "PATH|LANG|LC_.*|TZ|JAVA_HOME|VIRTUAL_ENV|SSL_CERT_FILE|PIP_.*"
                            + "|(?i:https?_proxy|no_proxy)");

    private static final Pattern HOST =
            Pattern.compile(
                    "(?<![\\w./-])([a-z0-9][a-z0-9-]*)\\.([a-z0-9][a-z0-9-]*)"
                            + "((?:\\.[a-z0-9-]+\\.svc(?:\\.cluster\\.local)?)?)(?![\\w-]|\\.\\w)");

    private final Cluster cluster;
    private final Images images;
    private final Addresses addresses;
    private final Resource pod;
    private final PodFolder folder;

    /// What came out.
    sealed interface Outcome {
        record Ready(Launch launch) implements Outcome {}

        /// @param reason what a container waits for, such as `ErrImagePull`
        /// @param message more about it
        record Refused(String reason, String message) implements Outcome {}
    }

    private static final class NotYet extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String reason;
        private final String why;

        NotYet(String reason, String message) {
            super(message);
            this.reason = reason;
            this.why = message;
        }
    }

    LaunchPlan(
            Cluster cluster, Images images, Addresses addresses, Resource pod, PodFolder folder) {
        this.cluster = cluster;
        this.images = images;
        this.addresses = addresses;
        this.pod = pod;
        this.folder = folder;
    }

    /// @return a launch that nobody looks at but a script
    static Outcome virtual(Resource pod, ContainerRun container) {
        var none = Path.of("");
        return new Outcome.Ready(
                new Launch(
                        pod.key(),
                        pod.uid(),
                        container.name(),
                        container.starts(),
                        List.of(),
                        Map.of(),
                        none,
                        none));
    }

    Outcome of(JsonNode container, int attempt) {
        try {
            var image = image(container.path("image").asString(""));
            var mounts = mounts(container);
            var environment = environment(container, image, mounts);
            var name = container.path("name").asString("");
            return new Outcome.Ready(
                    new Launch(
                            pod.key(),
                            pod.uid(),
                            name,
                            attempt,
                            command(container, image, environment, mounts),
                            environment,
                            workingFolder(container, mounts),
                            folder.log(name, attempt)));
        } catch (NotYet refused) {
            return new Outcome.Refused(refused.reason, refused.why);
        } catch (IOException e) {
            return new Outcome.Refused("CreateContainerError", e.toString());
        }
    }

    private Images.Mapping image(String image) throws IOException {
        if (!Images.valid(image)) {
            throw new NotYet(
                    "InvalidImageName",
                    ("Failed to apply default image tag \"%s\": couldn't parse image name \"%s\":"
                                    + " invalid reference format")
                            .formatted(image, image));
        }
        return images.find(image)
                .orElseThrow(
                        () ->
                                new NotYet(
                                        "ErrImagePull",
                                        ("no program of this machine stands for image \"%s\"; add"
                                                        + " a line such as \"%s = sh\" to \"%s\"")
                                                .formatted(
                                                        image,
                                                        image.replaceAll("[:@].*", "*"),
                                                        images.file())));
    }

    private Map<String, Path> mounts(JsonNode container) throws IOException {
        var mounts = new LinkedHashMap<String, Path>();
        for (var mount : container.path("volumeMounts")) {
            var volume = volume(mount.path("name").asString(""));
            var sub = mount.path("subPath").asString("");
            mounts.put(
                    mount.path("mountPath").asString("").replaceAll("(?<=.)/+$", ""),
                    sub.isEmpty() ? volume : volume.resolve(sub));
        }
        return mounts;
    }

    private Path volume(String name) throws IOException {
        var volume =
                pod.list("spec", "volumes").stream()
                        .filter(v -> v.path("name").asString("").equals(name))
                        .findFirst()
                        .orElseThrow(() -> new NotYet("CreateContainerError", "no volume " + name));
        if (volume.has("hostPath")) {
            return Path.of(volume.path("hostPath").path("path").asString(""));
        }
        var place = Files.createDirectories(folder.volume(name));
        if (volume.has("configMap")) {
            fill(place, name, volume.path("configMap"));
        } else if (!volume.has("emptyDir")) {
            throw new NotYet(
                    "ContainerCreating",
                    "MountVolume.SetUp failed for volume \"%s\" : only configMap, emptyDir and hostPath are emulated"
                            .formatted(name));
        }
        return place;
    }

    private void fill(Path place, String volume, JsonNode source) throws IOException {
        var name = source.path("name").asString("");
        var map = cluster.find(Kinds.CONFIG_MAP.key(pod.namespace(), name));
        if (map.isEmpty()) {
            if (source.path("optional").asBoolean(false)) {
                return;
            }
            throw new NotYet(
                    "ContainerCreating",
                    "MountVolume.SetUp failed for volume \"%s\" : configmap \"%s\" not found"
                            .formatted(volume, name));
        }
        var paths = new LinkedHashMap<String, String>();
        source.path("items")
                .forEach(i -> paths.put(i.path("key").asString(""), i.path("path").asString("")));
        for (var entry : map.get().texts("data").entrySet()) {
            var path = paths.isEmpty() ? entry.getKey() : paths.get(entry.getKey());
            if (path != null) {
                var file = place.resolve(path).normalize();
                if (file.startsWith(place)) {
                    Files.createDirectories(file.getParent());
                    Files.writeString(file, entry.getValue());
                }
            }
        }
    }

    private Map<String, String> environment(
            JsonNode container, Images.Mapping image, Map<String, Path> mounts) throws IOException {
        var all = new LinkedHashMap<String, String>();
        System.getenv()
                .forEach(
                        (name, value) -> {
                            if (INHERITED.matcher(name).matches()) {
                                all.put(name, value);
                            }
                        });
        var home = Files.createDirectories(folder.home());
        all.put("HOME", home.toString());
        all.put("TMPDIR", Files.createDirectories(home.resolve("tmp")).toString());
        all.put("HOSTNAME", hostname());
        all.merge("PATH", bin(image, all.getOrDefault("PATH", "")), (old, bin) -> bin + old);
        var own = new LinkedHashMap<String, String>();
        for (var from : container.path("envFrom")) {
            own.putAll(configMap(from.path("configMapRef")));
        }
        for (var variable : container.path("env")) {
            own.put(variable.path("name").asString(""), value(variable, container, own));
        }
        own.forEach((name, value) -> all.put(name, local(value, mounts)));
        return all;
    }

    private String hostname() {
        var given = pod.text("spec", "hostname");
        return given.isEmpty() ? pod.name() : given;
    }

    /// A script, not a link: a Python in a virtual environment looks for it beside its own name.
    private String bin(Images.Mapping image, String path) throws IOException {
        var bin = Files.createDirectories(folder.bin());
        for (var alias : image.aliases().entrySet()) {
            var program = onPath(alias.getValue(), path);
            var script = bin.resolve(alias.getKey());
            if (program.isPresent() && !Files.exists(script)) {
                Files.writeString(
                        script, "#!/bin/sh\nexec \"%s\" \"$@\"\n".formatted(program.get()));
                Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        return bin + ":";
    }

    private static Optional<Path> onPath(String program, String path) {
        return Pattern.compile(":")
                .splitAsStream(path)
                .map(place -> Path.of(place).resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Map<String, String> configMap(JsonNode reference) {
        var name = reference.path("name").asString("");
        var map = cluster.find(Kinds.CONFIG_MAP.key(pod.namespace(), name));
        if (map.isEmpty() && !reference.path("optional").asBoolean(false)) {
            throw new NotYet(
                    "CreateContainerConfigError", "configmap \"%s\" not found".formatted(name));
        }
        return map.map(m -> m.texts("data")).orElse(Map.of());
    }

    private String value(JsonNode variable, JsonNode container, Map<String, String> earlier) {
        var from = variable.path("valueFrom");
        if (from.has("fieldRef")) {
            return field(from.path("fieldRef").path("fieldPath").asString(""));
        }
        if (from.has("resourceFieldRef")) {
            return resource(from.path("resourceFieldRef").path("resource").asString(""), container);
        }
        if (from.has("configMapKeyRef")) {
            var reference = from.path("configMapKeyRef");
            var key = reference.path("key").asString("");
            var value = configMap(reference).get(key);
            if (value == null && !reference.path("optional").asBoolean(false)) {
                throw new NotYet(
                        "CreateContainerConfigError",
                        "couldn't find key %s in ConfigMap %s/%s"
                                .formatted(
                                        key, pod.namespace(), reference.path("name").asString("")));
            }
            return value == null ? "" : value;
        }
        if (from.has("secretKeyRef")) {
            throw new NotYet(
                    "CreateContainerConfigError",
                    "secret \"%s\" not found"
                            .formatted(from.path("secretKeyRef").path("name").asString("")));
        }
        return Variables.expand(variable.path("value").asString(""), earlier);
    }

    private String field(String path) {
        var keyed = Pattern.compile("metadata\\.(labels|annotations)\\['(.+)']").matcher(path);
        if (keyed.matches()) {
            return pod.texts("metadata", keyed.group(1)).getOrDefault(keyed.group(2), "");
        }
        return switch (path) {
            case "status.podIP", "status.podIPs" -> addresses.of(pod);
            case "status.hostIP" -> "127.0.0.1";
            default -> pod.text(path.split("\\."));
        };
    }

    private static String resource(String name, JsonNode container) {
        int dot = name.indexOf('.');
        return dot < 0
                ? ""
                : container
                        .path("resources")
                        .path(name.substring(0, dot))
                        .path(name.substring(dot + 1))
                        .asString("0");
    }

    private List<String> command(
            JsonNode container,
            Images.Mapping image,
            Map<String, String> environment,
            Map<String, Path> mounts) {
        var words = new ArrayList<String>();
        container.path("command").forEach(w -> words.add(w.asString("")));
        if (words.isEmpty()) {
            words.addAll(image.command());
        }
        container.path("args").forEach(w -> words.add(w.asString("")));
        return words.stream()
                .map(word -> local(Variables.expand(word, environment), mounts))
                .toList();
    }

    private Path workingFolder(JsonNode container, Map<String, Path> mounts) throws IOException {
        var wanted = container.path("workingDir").asString("");
        if (wanted.isEmpty()) {
            return folder.home();
        }
        var mapped = local(wanted, mounts);
        return Files.createDirectories(
                mapped.equals(wanted)
                        ? folder.home().resolve(wanted.replaceAll("^/+", ""))
                        : Path.of(mapped));
    }

    private String local(String text, Map<String, Path> mounts) {
        var changed = text;
        for (var mount : mounts.entrySet()) {
            changed =
                    Pattern.compile("(?<![\\w./-])" + Pattern.quote(mount.getKey()) + "(?![\\w.-])")
                            .matcher(changed)
                            .replaceAll(Matcher.quoteReplacement(mount.getValue().toString()));
        }
        return HOST.matcher(changed).replaceAll(this::address);
    }

    /// A name in a domain that no service has is somebody else's.
    private String address(MatchResult host) {
        var rest = host.group(3);
        var namespace = rest.isEmpty() ? pod.namespace() : rest.split("\\.")[1];
        boolean ours = cluster.find(Kinds.SERVICE.key(namespace, host.group(2))).isPresent();
        return Matcher.quoteReplacement(
                ours
                        ? addresses.of(namespace + "/" + host.group(2) + "/" + host.group(1))
                        : host.group());
    }
}
