package org.meshbook.elastic.checkpoint.tier.bucket;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;

/// Opens buckets by their addresses, once a process each.
public final class Buckets {
    private static final String OPENDAL =
            "org.meshbook.elastic.checkpoint.tier.bucket.OpendalBucket";

    /// OpenDAL's names of services and of what they call a bucket.
    private static final Map<String, List<String>> SERVICES =
            Map.of(
                    "s3", List.of("s3", "bucket"),
                    "gs", List.of("gcs", "bucket"),
                    "az", List.of("azblob", "container"));

    private record Key(String address, Map<String, String> config) {}

    private static final Map<Key, Bucket> OPEN = new ConcurrentHashMap<>();

    private Buckets() {}

    /// @param place a folder's path or a bucket's address
    /// @return whether it is a bucket's
    public static boolean named(String place) {
        return place.contains("://") && !place.startsWith("file:");
    }

    /// @param address as `s3://bucket/prefix`, `gs://…` or `az://…`
    /// @param config more settings, as OpenDAL names them; credentials that are not given are
    ///   looked for where the service's own tools do it
    /// @return the bucket
    /// @throws UsageError if the address is none, or OpenDAL is not installed
    public static Bucket open(String address, Map<String, String> config) {
        return OPEN.computeIfAbsent(new Key(address, config), Buckets::make);
    }

    private static Bucket make(Key key) {
        var uri = URI.create(key.address());
        var service = SERVICES.get(String.valueOf(uri.getScheme()));
        if (service == null || uri.getHost() == null) {
            throw new UsageError(
                    "'%s' is no bucket; give s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or"
                            + " az://CONTAINER/PREFIX, or a folder",
                    key.address());
        }
        var settings = new HashMap<>(key.config());
        settings.put(service.get(1), uri.getHost());
        settings.put("root", uri.getPath().isEmpty() ? "/" : uri.getPath());
        try {
            var type = loader().loadClass(OPENDAL).asSubclass(Bucket.class);
            var constructor = type.getDeclaredConstructor(String.class, Map.class);
            return constructor.newInstance(service.getFirst(), settings);
        } catch (InvocationTargetException e) {
            throw new UsageError(
                    "bucket '%s' cannot be opened: %s",
                    key.address(), String.valueOf(e.getCause()));
        } catch (NoClassDefFoundError | ReflectiveOperationException e) {
            throw new UsageError(
                    "buckets need Apache OpenDAL, which this installation lacks (%s); build it anew, or"
                            + " give a folder",
                    String.valueOf(e.getMessage()));
        } catch (IOException | URISyntaxException e) {
            throw new UsageError("Apache OpenDAL cannot be loaded: %s", e);
        }
    }

    /// OpenDAL's own loader, or this program's if there is no such folder.
    private static ClassLoader loader() throws IOException, URISyntaxException {
        var parent = Buckets.class.getClassLoader();
        var here =
                Path.of(Buckets.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        var folder = here.resolveSibling("opendal");
        if (!Files.isRegularFile(here) || !Files.isDirectory(folder)) {
            return parent;
        }
        var jars = new ArrayList<URL>(List.of(url(here)));
        try (var entries = Files.newDirectoryStream(folder, "*.jar")) {
            for (var jar : entries) {
                jars.add(url(jar));
            }
        }
        return new Own(jars, parent);
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    /// Makes the one class that names OpenDAL's itself, so that these are found beside it.
    private static final class Own extends URLClassLoader {
        Own(List<URL> jars, ClassLoader parent) {
            super("opendal", jars.toArray(URL[]::new), parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OPENDAL)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                @Nullable Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
