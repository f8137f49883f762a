package org.meshbook.elastic.mesh;

import static org.meshbook.elastic.UsageError.require;

/// A named dimension of a [Mesh].
///
/// @param name a Java identifier, unique in its mesh
/// @param size devices along the axis; a count of at least 1
public record Axis(String name, int size) {
    /// @throws org.meshbook.elastic.UsageError if the name is no identifier or the size is below 1
    public Axis {
        require(
                !name.isEmpty() && name.chars().allMatch(Character::isJavaIdentifierPart),
                "axis name '%s' is not an identifier; use letters and digits, as in axis(\"replica\", 4)",
                name);
        require(size >= 1, "axis '%s' has size %d; sizes start at 1", name, size);
    }

    /// Short for the constructor, made for static import.
    ///
    /// @param name the axis' name
    /// @param size devices along it
    /// @return the axis
    public static Axis axis(String name, int size) {
        return new Axis(name, size);
    }

    @Override
    public String toString() {
        return name + "=" + size;
    }
}
