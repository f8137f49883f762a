package org.meshbook.elastic.checkpoint.tier.host;

import tools.jackson.databind.json.JsonMapper;

/// Records as bytes, for calls of host functions.
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    /// @param value a record
    /// @return its bytes
    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /// @param bytes of a record
    /// @param type its class
    /// @param <T> its type
    /// @return the record
    public static <T> T value(byte[] bytes, Class<T> type) {
        return MAPPER.readValue(bytes, type);
    }
}
