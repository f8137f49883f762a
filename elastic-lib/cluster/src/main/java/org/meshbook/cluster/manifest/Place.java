package org.meshbook.cluster.manifest;

/// Where something stands in a text.
///
/// @param line line, from 1
/// @param column column in code points, from 1
/// @param length how many code points of that line it takes; at least 1
public record Place(int line, int column, int length) implements Comparable<Place> {
    /// The beginning of a text.
    public static final Place START = new Place(1, 1, 1);

    public Place {
        length = Math.max(1, length);
    }

    @Override
    public int compareTo(Place other) {
        int byLine = Integer.compare(line, other.line);
        int byColumn = byLine != 0 ? byLine : Integer.compare(column, other.column);
        return byColumn != 0 ? byColumn : Integer.compare(length, other.length);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
