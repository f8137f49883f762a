package org.meshbook.kernel.display;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A value as text: arrays, collections and maps by content, cut at a bound; a `toString` that
/// throws becomes a note.
final class PlainText {
    private static final int MOST_ELEMENTS = 1_000;
    private static final int MOST_CHARACTERS = 100_000;

    /// JShell's class around a class of the user's, in what `Object.toString` says.
    private static final String WRAPPER = "REPL.$JShell$";

    private static final int MOST_DEPTH = 32;

    private final StringBuilder text = new StringBuilder();
    private final Set<Object> above = Collections.newSetFromMap(new IdentityHashMap<>());

    private PlainText() {}

    static String of(@Nullable Object value) {
        var writer = new PlainText();
        writer.append(value);
        return writer.text.toString();
    }

    private void append(@Nullable Object value) {
        switch (value) {
            case null -> text.append("null");
            case Collection<?> collection when isJdk(collection) ->
                    nested(collection, () -> elements(collection, collection.size()));
            case Map<?, ?> map when isJdk(map) -> nested(map, () -> entries(map));
            case Object array when array.getClass().isArray() -> nested(array, () -> items(array));
            default -> own(value);
        }
    }

    /// Collections of the JDK print their content anyway; those of others may print something
    /// better.
    private static boolean isJdk(Object value) {
        return value.getClass().getName().startsWith("java.util.");
    }

    private void nested(Object value, Runnable content) {
        if (above.size() >= MOST_DEPTH || !above.add(value)) {
            text.append(value instanceof Map ? "{...}" : "[...]");
            return;
        }
        try {
            content.run();
        } catch (RuntimeException | StackOverflowError e) {
            text.append(failed(value, e));
        } finally {
            above.remove(value);
        }
    }

    private void elements(Iterable<?> elements, int size) {
        text.append('[');
        var count = 0;
        for (var element : elements) {
            if (!next(count++, size)) {
                break;
            }
            append(element);
        }
        text.append(']');
    }

    private void items(Object array) {
        var size = Array.getLength(array);
        text.append('[');
        for (var i = 0; i < size; i++) {
            if (!next(i, size)) {
                break;
            }
            append(Array.get(array, i));
        }
        text.append(']');
    }

    private void entries(Map<?, ?> map) {
        text.append('{');
        var count = 0;
        for (var entry : map.entrySet()) {
            if (!next(count++, map.size())) {
                break;
            }
            append(entry.getKey());
            text.append('=');
            append(entry.getValue());
        }
        text.append('}');
    }

    /// Separates an element from the one before, or closes with how many are left out.
    private boolean next(int count, int size) {
        if (count > 0) {
            text.append(", ");
        }
        if (count < MOST_ELEMENTS && text.length() < MOST_CHARACTERS) {
            return true;
        }
        text.append("... ").append(size - count).append(" more");
        return false;
    }

    private void own(Object value) {
        try {
            var said = value.toString();
            var shown = said == null ? "null" : said;
            if (shown.contains(WRAPPER)) {
                shown = shown.replaceAll("REPL\\.\\$JShell\\$\\d+[A-Z]*[$.]", "");
            }
            if (shown.length() > MOST_CHARACTERS) {
                text.append(shown, 0, MOST_CHARACTERS)
                        .append("... ")
                        .append(shown.length() - MOST_CHARACTERS)
                        .append(" more characters");
            } else {
                text.append(shown);
            }
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            text.append(failed(value, e));
        }
    }

    private static String failed(Object value, Throwable e) {
        return "<%s: its toString threw %s>"
                .formatted(
                        value.getClass().getSimpleName().replaceFirst("^.*\\$", ""),
                        e.getClass().getSimpleName());
    }
}
