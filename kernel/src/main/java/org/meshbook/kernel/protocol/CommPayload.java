package org.meshbook.kernel.protocol;

import java.util.List;
import java.util.Map;

/// What is said on a comm, either way.
///
/// @param data a JSON-like tree of maps, lists, texts, numbers, truth values and nulls
/// @param metadata another one
/// @param buffers binary parts
public record CommPayload(
        Map<String, Object> data, Map<String, Object> metadata, List<byte[]> buffers) {
    /// Nothing.
    public static final CommPayload EMPTY = new CommPayload(Map.of(), Map.of(), List.of());

    public CommPayload {
        buffers = List.copyOf(buffers);
    }
}
