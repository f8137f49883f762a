package org.meshbook.elastic.data.stream;

import static java.util.stream.Collectors.joining;
import static org.meshbook.elastic.UsageError.require;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Where reading goes on: for each part the number of its rows that were used. A tree of plain
/// values, so that it can stand in the record that a snapshot saves.
///
/// @param used one number a part, with commas between
/// @param source names of the parts in one line
public record StreamPosition(String used, String source) {
    static StreamPosition of(long[] used, String source) {
        return new StreamPosition(
                Arrays.stream(used).mapToObj(String::valueOf).collect(joining(",")), source);
    }

    /// What several readers of the same parts have used together.
    ///
    /// @param other position of another reader that began where this one did
    /// @return the greater number of each part
    public StreamPosition plus(StreamPosition other) {
        require(
                source.equals(other.source),
                "positions in '%s' and in '%s' cannot be joined; give those of one run",
                source,
                other.source);
        var mine = counts();
        var theirs = other.counts();
        return of(
                IntStream.range(0, mine.length)
                        .mapToLong(part -> Math.max(mine[part], theirs[part]))
                        .toArray(),
                source);
    }

    long[] counts() {
        return Arrays.stream(used.split(",")).mapToLong(Long::parseLong).toArray();
    }
}
