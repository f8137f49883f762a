package org.meshbook.kernel.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/// Makes small JSON objects whose fields keep their order.
final class Json {
    private Json() {}

    /// @param fields name, value, name, value..
    /// @return an object of them
    static Map<String, Object> object(Object... fields) {
        var object = new LinkedHashMap<String, Object>();
        for (var at = 0; at < fields.length; at += 2) {
            object.put((String) fields[at], fields[at + 1]);
        }
        return object;
    }
}
