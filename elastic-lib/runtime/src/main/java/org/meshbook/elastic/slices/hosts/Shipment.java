package org.meshbook.elastic.slices.hosts;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.elastic.UsageError;

/// The classes that a host function needs and that a worker does not have: those that a class
/// loader of this process made itself, as that of a notebook's cells and its jars does.
public final class Shipment {
    private static final int MOST_BYTES = 16 << 20;
    private static final ClassValue<Map<String, byte[]>> SHIPMENTS =
            new ClassValue<>() {
                @Override
                protected Map<String, byte[]> computeValue(Class<?> type) {
                    return collect(type);
                }
            };

    private Shipment() {}

    /// @param function a class
    /// @return bytes of the classes to send along, by name; none for a class of the class path
    /// @throws UsageError if they are too many
    public static Map<String, byte[]> of(Class<? extends HostFunction> function) {
        return SHIPMENTS.get(function);
    }

    private static Map<String, byte[]> collect(Class<?> type) {
        var loader = type.getClassLoader();
        var home = HostFunction.class.getClassLoader();
        if (loader == null || loader == home) {
            return Map.of();
        }
        var known = new ConcurrentHashMap<String, Boolean>();
        var found = new LinkedHashMap<String, byte[]>();
        var queue = new ArrayDeque<String>();
        queue.add(type.getName());
        long bytes = 0;
        while (!queue.isEmpty()) {
            var name = queue.remove();
            if (known.put(name, true) != null || onClassPath(home, name)) {
                continue;
            }
            var content = read(loader, name);
            if (content.isEmpty()) {
                continue;
            }
            bytes += content.get().length;
            require(
                    bytes <= MOST_BYTES,
                    "%s needs more than %d MB of classes that workers do not have; put its jar on"
                            + " their class path",
                    type.getName(),
                    MOST_BYTES >> 20);
            found.put(name, content.get());
            for (var entry : ClassFile.of().parse(content.get()).constantPool()) {
                if (entry instanceof ClassEntry other) {
                    element(other.asSymbol()).ifPresent(queue::add);
                }
            }
        }
        require(
                found.containsKey(type.getName()),
                "the bytes of %s cannot be read here, so it cannot be sent to the workers; put it on"
                        + " their class path",
                type.getName());
        return new TreeMap<>(found);
    }

    /// The class itself, or what an array of it holds; none for primitives.
    private static Optional<String> element(ClassDesc desc) {
        var inner = desc;
        while (inner.isArray()) {
            inner = inner.componentType();
        }
        var text = inner.descriptorString();
        return inner.isPrimitive()
                ? Optional.empty()
                : Optional.of(text.substring(1, text.length() - 1).replace('/', '.'));
    }

    private static boolean onClassPath(ClassLoader home, String name) {
        return home.getResource(path(name)) != null;
    }

    private static Optional<byte[]> read(ClassLoader loader, String name) {
        try (var in = loader.getResourceAsStream(path(name))) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(String name) {
        return name.replace('.', '/') + ".class";
    }
}
