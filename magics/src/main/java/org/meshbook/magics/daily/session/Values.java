package org.meshbook.magics.daily.session;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Values in a few words, without reading more of them than is shown.
final class Values {
    private static final int MOST_CHARACTERS = 60;
    private static final int MOST_ELEMENTS = 8;
    private static final Pattern WRAPPER = Pattern.compile("REPL\\.\\$JShell\\$\\d+[A-Z]*[$.]");

    private Values() {}

    /// @return at most sixty characters on one line
    static String brief(@Nullable Object value) {
        return cut(whole(value));
    }

    private static String whole(@Nullable Object value) {
        try {
            return switch (value) {
                case null -> "null";
                case CharSequence text ->
                        '"'
                                + text.subSequence(0, Math.min(text.length(), MOST_CHARACTERS + 1))
                                        .toString()
                                + '"';
                case Character c -> "'" + c + "'";
                case Collection<?> all when ofJdk(all) -> elements(all);
                case Map<?, ?> map when ofJdk(map) -> entries(map);
                case Object array when array.getClass().isArray() -> items(array);
                default -> WRAPPER.matcher(String.valueOf(value)).replaceAll("");
            };
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return "its text cannot be had: " + e.getClass().getSimpleName();
        }
    }

    private static boolean ofJdk(Object value) {
        return value.getClass().getName().startsWith("java.util.");
    }

    private static String elements(Collection<?> all) {
        var first = new ArrayList<String>();
        for (var element : all) {
            if (first.size() == MOST_ELEMENTS) {
                first.add("…");
                break;
            }
            first.add(inside(element));
        }
        return "[" + String.join(", ", first) + "]";
    }

    private static String entries(Map<?, ?> map) {
        var first = new ArrayList<String>();
        for (var entry : map.entrySet()) {
            if (first.size() == MOST_ELEMENTS) {
                first.add("…");
                break;
            }
            first.add(inside(entry.getKey()) + "=" + inside(entry.getValue()));
        }
        return "{" + String.join(", ", first) + "}";
    }

    private static String items(Object array) {
        var first = new ArrayList<String>();
        var length = Array.getLength(array);
        for (var i = 0; i < Math.min(length, MOST_ELEMENTS); i++) {
            first.add(inside(Array.get(array, i)));
        }
        return "[" + String.join(", ", first) + (length > MOST_ELEMENTS ? ", …]" : "]");
    }

    /// An element; what holds others itself is only named, for it may hold its holder.
    private static String inside(@Nullable Object element) {
        return switch (element) {
            case Collection<?> all when ofJdk(all) -> "[" + all.size() + " items]";
            case Map<?, ?> map when ofJdk(map) -> "{" + map.size() + " entries}";
            case null -> "null";
            case Object array when array.getClass().isArray() ->
                    array.getClass().getComponentType().getSimpleName()
                            + "["
                            + Array.getLength(array)
                            + "]";
            default -> whole(element);
        };
    }

    private static String cut(String text) {
        var line = text.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", " ");
        var more = line.length() < text.length() || line.length() > MOST_CHARACTERS;
        if (line.length() > MOST_CHARACTERS) {
            var end = MOST_CHARACTERS - 1;
            line =
                    line.substring(
                            0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end);
        }
        return more ? line + "…" : line;
    }

    /// @return how many parts it has, as `3 items`; empty if it has none
    static String size(@Nullable Object value) {
        try {
            return switch (value) {
                case CharSequence text -> count(text.length(), "char");
                case Collection<?> all -> count(all.size(), "item");
                case Map<?, ?> map -> count(map.size(), "entr");
                case null -> "";
                case Object array when array.getClass().isArray() ->
                        count(Array.getLength(array), "item");
                default -> "";
            };
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return "";
        }
    }

    private static String count(int count, String what) {
        var ending = what.equals("entr") ? count == 1 ? "y" : "ies" : count == 1 ? "" : "s";
        return "%,d %s%s".formatted(count, what, ending);
    }
}
