package org.meshbook.kernel.jshell;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Carries variables over when JShell replaces the class that holds them by one of a new name.
///
/// JShell keeps each variable in a static field of a wrapper class `$JShell$5`; when something that
/// the variable depends on changes beyond what the VM can redefine, the wrapper is compiled again
/// as `$JShell$5B` and the variable would be null or zero. A value is carried over if its type is
/// the same in both; else it is listed as reset.
final class KeptVariables {
    private static final Pattern WRAPPER = Pattern.compile("(REPL\\.\\$JShell\\$(\\d+))[A-Z]*");

    private final Map<String, Class<?>> latest = new HashMap<>();

    /// @param className a cell's class
    /// @return JShell's number of the snippet that it was compiled from
    static String index(String className) {
        var matcher = WRAPPER.matcher(className);
        return matcher.lookingAt() ? matcher.group(2) : "";
    }

    static boolean isWrapper(String className) {
        return WRAPPER.matcher(className).matches();
    }

    /// Empties the variables of a class that nobody uses any more.
    static void clear(Class<?> wrapper) {
        for (var field : wrapper.getDeclaredFields()) {
            var modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers)
                    && !Modifier.isFinal(modifiers)
                    && !field.getType().isPrimitive()) {
                try {
                    field.setAccessible(true);
                    field.set(null, null);
                } catch (IllegalAccessException | LinkageError e) {
                    // Then it holds on to its value, which costs memory only.
                    continue;
                }
            }
        }
    }

    void forget(String className) {
        var matcher = WRAPPER.matcher(className);
        if (matcher.matches()) {
            latest.remove(matcher.group(1));
        }
    }

    /// Takes note of a class.
    ///
    /// @return names of the variables that lost their value by it
    List<String> loaded(Class<?> wrapper) {
        var matcher = WRAPPER.matcher(wrapper.getName());
        if (!matcher.matches()) {
            return List.of();
        }
        var before = latest.put(matcher.group(1), wrapper);
        return before == null || before == wrapper ? List.of() : carry(before, wrapper);
    }

    /// @param snippet JShell's number of a variable's snippet
    /// @param name the variable's name
    /// @return the field that holds it now
    Optional<Field> holder(String snippet, String name) {
        var wrapper = latest.get("REPL.$JShell$" + snippet);
        if (wrapper == null) {
            return Optional.empty();
        }
        try {
            var field = wrapper.getDeclaredField(name);
            field.setAccessible(true);
            return Optional.of(field);
        } catch (NoSuchFieldException | LinkageError e) {
            return Optional.empty();
        }
    }

    /// @param holder a variable's field
    /// @return the variable's value
    static @Nullable Object read(Field holder) {
        try {
            return holder.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> carry(Class<?> before, Class<?> after) {
        var reset = new ArrayList<String>();
        for (var field : before.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                continue;
            }
            try {
                field.setAccessible(true);
                var value = field.get(null);
                if (!isDefault(value) && !carried(field, value, after)) {
                    reset.add(field.getName());
                }
            } catch (IllegalAccessException | LinkageError e) {
                reset.add(field.getName());
            }
        }
        return reset;
    }

    private static boolean carried(Field before, @Nullable Object value, Class<?> after)
            throws IllegalAccessException {
        try {
            var field = after.getDeclaredField(before.getName());
            if (!sameType(before, field)) {
                return false;
            }
            field.setAccessible(true);
            field.set(null, value);
            return true;
        } catch (NoSuchFieldException e) {
            return false;
        }
    }

    private static boolean sameType(Field before, Field after) {
        return before.getType() == after.getType()
                && before.getGenericType()
                        .getTypeName()
                        .equals(after.getGenericType().getTypeName());
    }

    private static boolean isDefault(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Boolean b -> !b;
            case Character c -> c == 0;
            case Number n when n.getClass().getName().startsWith("java.lang.") ->
                    n.doubleValue() == 0;
            default -> false;
        };
    }
}
