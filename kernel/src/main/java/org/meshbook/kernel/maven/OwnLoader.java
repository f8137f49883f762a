package org.meshbook.kernel.maven;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Loads the room `aether` and its libraries from a folder of their own, so that cells never see
/// those libraries and can bring other versions of them.
final class OwnLoader extends URLClassLoader {
    private static final String ROOM = "org.meshbook.kernel.maven.aether.";
    private static final String RESOLVER = ROOM + "AetherResolver";

    private OwnLoader(List<URL> jars, ClassLoader parent) {
        super("maven-resolver", jars.toArray(URL[]::new), parent);
    }

    /// @param settings the user's
    /// @param localRepository where files are kept
    /// @return a resolver of classes that nobody else shares, or of this program's if there is no
    ///   such folder
    static Resolver resolver(Settings settings, Path localRepository) {
        try {
            var type = loader().loadClass(RESOLVER).asSubclass(Resolver.class);
            return type.getConstructor(Settings.class, Path.class)
                    .newInstance(settings, localRepository);
        } catch (ReflectiveOperationException | IOException | URISyntaxException e) {
            throw new IllegalStateException("Maven Resolver could not be loaded", e);
        } catch (NoClassDefFoundError e) {
            throw new MavenFailure(
                    "this installation lacks Maven Resolver (%s); build it anew"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private static ClassLoader loader() throws IOException, URISyntaxException {
        var parent = OwnLoader.class.getClassLoader();
        var here =
                Path.of(
                        OwnLoader.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        var folder = here.resolveSibling("maven");
        if (!Files.isRegularFile(here) || !Files.isDirectory(folder)) {
            return parent;
        }
        var jars = new ArrayList<URL>(List.of(url(here)));
        try (var entries = Files.newDirectoryStream(folder, "*.jar")) {
            for (var jar : entries) {
                jars.add(url(jar));
            }
        }
        return new OwnLoader(jars, parent);
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ROOM)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            @Nullable Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }
}
