package org.meshbook.kernel.display;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A value as text: arrays, collections, maps and records by content, cut at a bound.
///
/// A value's own code may throw, lie, recur or never end: what it throws becomes a note in its
/// place, and nothing of it is called more often than what is shown needs.
final class PlainText {
    private static final int MOST_CHARACTERS = 100_000;
    private static final int MOST_DEPTH = 32;

    private final StringBuilder text = new StringBuilder();
    private final Set<Object> above = Collections.newSetFromMap(new IdentityHashMap<>());
    private final long mostElements;

    private PlainText(long mostElements) {
        this.mostElements = mostElements;
    }

    /// @param mostElements how many elements of one array or collection are shown
    static String of(@Nullable Object value, long mostElements) {
        var writer = new PlainText(mostElements);
        writer.append(value);
        return writer.text.toString();
    }

    private void append(@Nullable Object value) {
        if (text.length() > MOST_CHARACTERS) {
            text.append("...");
            return;
        }
        switch (value) {
            case null -> text.append("null");
            case CharSequence words -> own(words);
            case Sample sample -> sample('[', sample, ']');
            case Object array when array.getClass().isArray() ->
                    nested(array, '[', () -> Sample.ofArray(array, mostElements), ']');
            case Map<?, ?> map when hasStandardText(map) ->
                    nested(map, '{', () -> Sample.of(map, mostElements), '}');
            case Collection<?> collection when hasStandardText(collection) ->
                    nested(collection, '[', () -> Sample.of(collection, mostElements), ']');
            case Map.Entry<?, ?> entry when hasStandardText(entry) -> entry(entry);
            case Optional<?> optional when optional.isPresent() -> {
                text.append("Optional[");
                append(optional.get());
                text.append(']');
            }
            case Record fields when hasStandardText(fields) -> record(fields);
            case Iterable<?> iterable when hasStandardText(iterable) ->
                    nested(iterable, '[', () -> Sample.of(iterable, mostElements), ']');
            default -> own(value);
        }
    }

    /// Whether a value's `toString` is one that the JDK wrote: then its content says more, or the
    /// same within bounds. A class of the user's or of a library that has its own says it better.
    private static boolean hasStandardText(Object value) {
        if (value instanceof Record fields) {
            return Fields.hasStandardText(fields);
        }
        try {
            Method method = value.getClass().getMethod("toString");
            return method.getDeclaringClass().getName().startsWith("java.");
        } catch (NoSuchMethodException | LinkageError e) {
            return false;
        }
    }

    private void nested(Object value, char open, Supplier<Sample> content, char close) {
        if (above.size() >= MOST_DEPTH || !above.add(value)) {
            text.append(open).append("...").append(close);
            return;
        }
        try {
            sample(open, content.get(), close);
        } catch (Throwable e) {
            // Anything at all may be thrown here; the rest of the value is still worth showing.
            text.append(failed(value, e));
        } finally {
            above.remove(value);
        }
    }

    private void sample(char open, Sample sample, char close) {
        text.append(open);
        var separator = "";
        var shown = 0;
        for (var element : sample.first()) {
            if (text.length() > MOST_CHARACTERS) {
                var more = sample.more() == Sample.UNKNOWN ? 0 : sample.more();
                text.append(separator)
                        .append("... %d more".formatted(sample.first().size() - shown + more));
                text.append(close);
                return;
            }
            text.append(separator);
            append(element);
            separator = ", ";
            shown++;
        }
        if (sample.more() != 0) {
            text.append(separator).append(sample.rest());
        }
        text.append(close);
    }

    private void entry(Map.Entry<?, ?> entry) {
        append(entry.getKey());
        text.append('=');
        append(entry.getValue());
    }

    private void record(Record fields) {
        if (above.size() >= MOST_DEPTH || !above.add(fields)) {
            text.append("[...]");
            return;
        }
        text.append(TypeNames.simple(fields.getClass())).append('[');
        var separator = "";
        for (var field : Fields.of(fields)) {
            text.append(separator).append(field.name()).append('=');
            append(field.value());
            separator = ", ";
        }
        text.append(']');
        above.remove(fields);
    }

    private void own(Object value) {
        if (TypeNames.isLambda(value.getClass())) {
            text.append("lambda (").append(interfaces(value)).append(')');
            return;
        }
        try {
            var said = value.toString();
            text.append(cut(TypeNames.clean(said == null ? "null" : said)));
        } catch (Throwable e) {
            // As above.
            text.append(failed(value, e));
        }
    }

    private static String interfaces(Object lambda) {
        return Arrays.stream(lambda.getClass().getInterfaces())
                .map(TypeNames::simple)
                .collect(Collectors.joining(", "));
    }

    private static String cut(String said) {
        if (said.length() <= MOST_CHARACTERS) {
            return said;
        }
        var end =
                MOST_CHARACTERS
                        - (Character.isHighSurrogate(said.charAt(MOST_CHARACTERS - 1)) ? 1 : 0);
        return "%s... %d more characters".formatted(said.substring(0, end), said.length() - end);
    }

    private static String failed(Object value, Throwable e) {
        var what = TypeNames.simple(value.getClass());
        return e instanceof Unwinding
                ? "<%s: its toString did not end in time>".formatted(what)
                : "<%s: its toString threw %s>".formatted(what, TypeNames.simple(e.getClass()));
    }
}
