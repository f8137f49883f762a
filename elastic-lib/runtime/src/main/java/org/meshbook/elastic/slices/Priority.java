package org.meshbook.elastic.slices;

import static org.meshbook.elastic.UsageError.require;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How much a session's slices matter beside those of others: one that is lost may take the place
/// of a slice with a lower priority.
///
/// Source: classes of Pathways' hot swap, from very-low to very-high, or a value of one's own.
///
/// @param value higher matters more
public record Priority(int value) implements Comparable<Priority> {
    /// What a session has that asks for none.
    public static final Priority MEDIUM = new Priority(600);

    private static final Map<Integer, String> NAMES =
            new TreeMap<>(
                    Map.of(
                            200,
                            "very-low",
                            400,
                            "low",
                            MEDIUM.value(),
                            "medium",
                            800,
                            "high",
                            1000,
                            "very-high"));

    /// @throws org.meshbook.elastic.UsageError if the value is below 1
    public Priority {
        require(value >= 1, "a priority of %d; give 1 or more", value);
    }

    /// Reads a name or a value.
    ///
    /// @param text as "high" or "2000"
    /// @return the priority
    /// @throws org.meshbook.elastic.UsageError if it is neither
    public static Priority of(String text) {
        for (var known : NAMES.entrySet()) {
            if (known.getValue().equals(text)) {
                return new Priority(known.getKey());
            }
        }
        require(
                text.matches("[0-9]{1,9}"),
                "'%s' is no priority; give a whole number, or one of %s",
                text,
                NAMES.values().stream().collect(Collectors.joining(", ")));
        return new Priority(Integer.parseInt(text));
    }

    @Override
    public int compareTo(Priority other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return NAMES.getOrDefault(value, Integer.toString(value));
    }
}
