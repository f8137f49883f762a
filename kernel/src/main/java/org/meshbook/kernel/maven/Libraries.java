package org.meshbook.kernel.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/// Which libraries lie on a class path, in which versions. Thread-safe.
final class Libraries {
    private static final Pattern NAMED = Pattern.compile("(.+?)-(\\d[^/\\\\]*)\\.jar");

    private final Map<Path, Optional<Library>> known = new ConcurrentHashMap<>();

    /// A library.
    ///
    /// @param name `group:artifact`; without a group if the jar does not tell it
    /// @param version its version
    /// @param jar where it lies
    record Library(String name, String version, Path jar) {}

    /// @param classPath jars and folders
    /// @param found a jar that may be added
    /// @return the library of the same name that is there already
    Optional<Library> sameAs(List<Path> classPath, Resolved.Found found) {
        var coordinates = found.coordinates();
        if (!coordinates.classifier().isEmpty()) {
            return Optional.empty();
        }
        var byName = new HashMap<String, Library>();
        for (var entry : classPath) {
            known.computeIfAbsent(entry, Libraries::read)
                    .ifPresent(library -> byName.putIfAbsent(library.name(), library));
        }
        var whole = byName.get(coordinates.library());
        if (whole != null) {
            return Optional.of(whole);
        }
        // A jar that does not tell its group is the same library if it has the same classes.
        return Optional.ofNullable(byName.get(coordinates.artifact()))
                .filter(library -> shareClasses(library.jar(), found.file()));
    }

    private static Optional<Library> read(Path path) {
        if (!path.toString().endsWith(".jar") || !Files.isRegularFile(path)) {
            return Optional.empty();
        }
        var named = NAMED.matcher(path.getFileName().toString());
        var artifact = named.matches() ? named.group(1) : "";
        try (var jar = new JarFile(path.toFile())) {
            var poms =
                    jar.stream()
                            .filter(e -> e.getName().startsWith("META-INF/maven/"))
                            .filter(e -> e.getName().endsWith("/pom.properties"))
                            .toList();
            for (var each : poms) {
                var properties = new Properties();
                try (var in = jar.getInputStream(each)) {
                    properties.load(in);
                }
                var id = properties.getProperty("artifactId", "");
                // A jar that holds others is the one that its name says.
                if (poms.size() == 1 || id.equals(artifact)) {
                    return Optional.of(
                            new Library(
                                    properties.getProperty("groupId", "") + ":" + id,
                                    properties.getProperty("version", ""),
                                    path));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
        return named.matches()
                ? Optional.of(new Library(artifact, named.group(2), path))
                : Optional.empty();
    }

    private static boolean shareClasses(Path one, Path other) {
        try (var first = new JarFile(one.toFile());
                var second = new JarFile(other.toFile())) {
            return second.stream()
                    .map(e -> e.getName())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .limit(20)
                    .anyMatch(name -> first.getEntry(name) != null);
        } catch (IOException e) {
            return false;
        }
    }
}
