package org.meshbook.magics.maven;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.magics.compat.CompatExtension;

/// A repository, settings and a local repository of a test's own, in place of the machine's.
@SuppressWarnings("NullAway.Init") // made before each test
final class MavenWorld implements BeforeEachCallback, AfterEachCallback {
    private final Map<String, String> before = new HashMap<>();
    private Path folder = Path.of("");
    private RepositoryServer server;
    private Notebook notebook;

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        folder = Files.createTempDirectory("maven-world").toRealPath();
        server = new RepositoryServer(folder.resolve("served"));
        property("meshbook.maven.settings", folder.resolve("settings.xml").toString());
        property("maven.repo.local", folder.resolve("local").toString());
        property("java.class.path", System.getProperty("java.class.path"));
        settings("");
        notebook = new Notebook(extensions());
    }

    static Extension[] extensions() {
        return new Extension[] {new MavenExtension(), new CompatExtension()};
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        notebook.close();
        server.close();
        before.forEach(
                (name, value) -> {
                    if (value.isEmpty()) {
                        System.clearProperty(name);
                    } else {
                        System.setProperty(name, value);
                    }
                });
        try (var all = Files.walk(folder)) {
            all.sorted(java.util.Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
        }
    }

    void property(String name, String value) {
        before.putIfAbsent(name, System.getProperty(name, ""));
        System.setProperty(name, value);
    }

    /// Central stands on this machine; nothing is asked of others.
    void settings(String more) {
        write(
                "settings.xml",
                "<settings><mirrors><mirror><id>here</id><mirrorOf>central</mirrorOf><url>%s</url></mirror></mirrors>%s</settings>"
                        .formatted(server.url(), more));
    }

    Path write(String name, String text) {
        try {
            var file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path write(String name, byte[] bytes) {
        try {
            var file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }

    RepositoryServer server() {
        return server;
    }

    Notebook.Ran run(String code) {
        return notebook.run(code);
    }

    Notebook notebook() {
        return notebook;
    }
}
