package org.meshbook.kernel.cell;

import java.awt.image.BufferedImage;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How much memory a value keeps, roughly and quickly: arrays, texts, the JDK's collections, and
/// the fields of classes that cells declared; looks at a thousand objects at most.
final class Weight {
    private static final int MOST_OBJECTS = 1_000;
    private static final int HEADER = 16;
    private static final int REFERENCE = 8;

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private long bytes;

    private Weight() {}

    static long of(@Nullable Object value) {
        var weight = new Weight();
        weight.later(value);
        for (var left = MOST_OBJECTS; left > 0 && !weight.open.isEmpty(); left--) {
            weight.add(weight.open.remove());
        }
        return weight.bytes;
    }

    private void later(@Nullable Object value) {
        if (value != null && open.size() < MOST_OBJECTS && seen.add(value)) {
            open.add(value);
        }
    }

    private void add(Object value) {
        bytes += HEADER;
        switch (value) {
            case CharSequence text -> bytes += text instanceof String s ? 2L * s.length() : 64;
            case Object[] array -> {
                bytes += (long) REFERENCE * array.length;
                for (var i = 0; i < Math.min(array.length, MOST_OBJECTS); i++) {
                    later(array[i]);
                }
            }
            case Buffer buffer -> bytes += (long) REFERENCE * buffer.capacity();
            case BufferedImage image -> bytes += 4L * image.getWidth() * image.getHeight();
            case Collection<?> collection when isOfJdk(collection) -> collection(collection);
            case Map<?, ?> map when isOfJdk(map) -> {
                collection(map.keySet());
                collection(map.values());
            }
            default -> {
                if (value.getClass().isArray()) {
                    bytes += Array.getLength(value) * width(value.getClass().componentType());
                } else {
                    fields(value);
                }
            }
        }
    }

    private static boolean isOfJdk(Object value) {
        return value.getClass().getName().startsWith("java.util.");
    }

    private void collection(Collection<?> values) {
        bytes += (long) 2 * REFERENCE * values.size();
        try {
            var left = MOST_OBJECTS;
            for (var each : values) {
                if (left-- == 0) {
                    return;
                }
                later(each);
            }
        } catch (RuntimeException e) {
            // Changed by another thread meanwhile: what was seen has to do.
            bytes += (long) REFERENCE * values.size();
        }
    }

    private void fields(Object value) {
        for (Class<?> type = value.getClass();
                type != null && !type.getModule().isNamed();
                type = type.getSuperclass()) {
            for (var field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                bytes += REFERENCE;
                try {
                    if (!field.getType().isPrimitive() && field.trySetAccessible()) {
                        later(field.get(value));
                    }
                } catch (IllegalAccessException | RuntimeException e) {
                    // A record or a hidden class: its fields stay unknown.
                    continue;
                }
            }
        }
    }

    private static long width(Class<?> primitive) {
        return switch (primitive.getName()) {
            case "long", "double" -> 8;
            case "int", "float" -> 4;
            case "short", "char" -> 2;
            default -> 1;
        };
    }
}
