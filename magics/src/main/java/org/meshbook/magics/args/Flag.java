package org.meshbook.magics.args;

/// One flag of a [Grammar].
///
/// @param name as it is typed, with its dashes
/// @param value what stands for its value in the usage, as `D`; empty for a flag without one; it
///   ends with `...` if the flag may be given again
/// @param meaning what it does, in a few words
public record Flag(String name, String value, String meaning) {
    /// @param name as it is typed
    /// @param meaning what it does
    /// @return a flag without a value
    public static Flag plain(String name, String meaning) {
        return new Flag(name, "", meaning);
    }

    boolean mayComeAgain() {
        return value.endsWith("...");
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    String usage() {
        return takesValue() ? name + " " + value : name;
    }
}
