package org.meshbook.elastic.engine.onnx;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Unpacks ONNX Runtime's native libraries once a machine user.
///
/// Left to itself, every process unpacks 28 MB into a temporary folder of its own and removes it
/// when it ends, which a killed worker never does. The cache is
/// `$XDG_CACHE_HOME/meshbook/onnxruntime-CRC` (`~/.cache` without the variable); files appear in it
/// whole, by renaming, so that processes may race.
final class NativeLibrary {
    /// ONNX Runtime's own switch.
    static final String FOLDER = "onnxruntime.native.path";

    private static final System.Logger LOG = System.getLogger(NativeLibrary.class.getName());

    private NativeLibrary() {}

    /// Points ONNX Runtime to the cache; where there can be none it unpacks as it always does.
    static void prepare() {
        if (System.getProperty(FOLDER) != null) {
            return;
        }
        try {
            var folder = unpack(cache());
            if (folder != null) {
                System.setProperty(FOLDER, folder.toString());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no cache for native libraries", e);
        }
    }

    /// Removes the empty temporary folder that ONNX Runtime makes all the same, and would remove
    /// only at an orderly end.
    static void tidy() {
        try {
            var field =
                    Class.forName("ai.onnxruntime.OnnxRuntime").getDeclaredField("tempDirectory");
            field.setAccessible(true);
            if (System.getProperty(FOLDER) != null && field.get(null) instanceof Path folder) {
                Files.deleteIfExists(folder);
            }
        } catch (ReflectiveOperationException | IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a temporary folder stays", e);
        }
    }

    /// @return the folder with both libraries, or null if they are in no jar
    static @Nullable Path unpack(Path cache) throws IOException {
        var main = resource("onnxruntime");
        var bridge = resource("onnxruntime4j_jni");
        if (main == null || bridge == null) {
            return null;
        }
        var folder = cache.resolve("onnxruntime-" + HexFormat.of().toHexDigits((int) crc(main)));
        Files.createDirectories(folder);
        unpack(main, folder);
        unpack(bridge, folder);
        return folder;
    }

    private static void unpack(URL from, Path folder) throws IOException {
        var target = folder.resolve(Path.of(from.getPath()).getFileName().toString());
        var connection = from.openConnection();
        if (Files.exists(target) && Files.size(target) == connection.getContentLengthLong()) {
            return;
        }
        var part = Files.createTempFile(folder, "part", "");
        try (var in = connection.getInputStream()) {
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static long crc(URL resource) throws IOException {
        return resource.openConnection() instanceof JarURLConnection jar
                ? jar.getJarEntry().getCrc()
                : resource.openConnection().getContentLengthLong();
    }

    private static @Nullable URL resource(String library) {
        return OrtEnvironment.class.getResource(
                "/ai/onnxruntime/native/" + platform() + "/" + System.mapLibraryName(library));
    }

    private static String platform() {
        var os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        var arch = System.getProperty("os.arch", "");
        return (os.contains("mac") ? "osx" : os.contains("win") ? "win" : "linux")
                + (arch.equals("amd64") || arch.equals("x86_64") ? "-x64" : "-" + arch);
    }

    private static Path cache() {
        var set = System.getenv("XDG_CACHE_HOME");
        var base =
                set == null || set.isEmpty()
                        ? Path.of(System.getProperty("user.home", "."), ".cache")
                        : Path.of(set);
        return base.resolve("meshbook");
    }
}
