package org.meshbook.kernel.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Something to look at, in one or more MIME types; `text/plain` is always there.
///
/// @param bundle MIME type to content: text, Base64 text for pictures, or a JSON-like tree of maps,
///   lists and scalars
/// @param metadata MIME type to its metadata
/// @param id display id, by which it can be replaced later
public record DisplayData(
        Map<String, Object> bundle, Map<String, Object> metadata, Optional<String> id) {
    public DisplayData {
        bundle = Map.copyOf(bundle);
        metadata = Map.copyOf(metadata);
    }

    /// @param text plain text
    /// @return display data of that text
    public static DisplayData text(String text) {
        return new DisplayData(Map.of("text/plain", text), Map.of(), Optional.empty());
    }

    /// @param mime another MIME type
    /// @param content its content
    /// @return this with that content added
    public DisplayData and(String mime, Object content) {
        var more = new LinkedHashMap<>(bundle);
        more.put(mime, content);
        return new DisplayData(more, metadata, id);
    }

    /// @param id a display id
    /// @return this with that id
    public DisplayData withId(String id) {
        return new DisplayData(bundle, metadata, Optional.of(id));
    }
}
