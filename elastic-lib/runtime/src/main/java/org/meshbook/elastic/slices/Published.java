package org.meshbook.elastic.slices;

import java.nio.ByteBuffer;
import java.util.List;
import org.meshbook.elastic.array.Array;

/// What has a name: arrays and host copies in the workers, and what whoever published it wrote of
/// them.
///
/// @param kind says how to read the content; a word
/// @param content read-only bytes from position to limit
/// @param arrays placed arrays
/// @param copies host copies
public record Published(
        String kind, ByteBuffer content, List<Array> arrays, List<HostCopy> copies) {
    public Published {
        content = content.asReadOnlyBuffer();
        arrays = List.copyOf(arrays);
        copies = List.copyOf(copies);
    }

    /// @return the bytes, to be read from the start
    @Override
    public ByteBuffer content() {
        return content.duplicate();
    }
}
