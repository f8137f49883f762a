package org.meshbook.kernel.protocol;

import java.util.Map;

/// Something to look at, in one or more MIME types.
///
/// @param data MIME type to content
/// @param metadata MIME type to its metadata
public record Bundle(Map<String, Object> data, Map<String, Object> metadata) {
    /// Nothing.
    public static final Bundle EMPTY = new Bundle(Map.of(), Map.of());
}
