package org.meshbook.cluster.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Validation;
import tools.jackson.databind.JsonNode;

/// One request.
///
/// @param method such as `GET`
/// @param path path without a leading slash
/// @param query parameters
/// @param type the body's media type
/// @param body body, if it has one
record Ask(
        String method,
        String path,
        Map<String, String> query,
        String type,
        Optional<JsonNode> body) {
    static final String MANAGER = "meshbook";

    private static final String JSON = "application/json";

    Ask {
        query = new LinkedHashMap<>(query);
    }

    /// @param method method
    /// @param kind kind
    /// @param namespace namespace, `""` for all and for kinds that have none
    /// @return a request about a collection
    static Ask of(String method, ResourceKind kind, String namespace) {
        var base = (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
        var space = namespace.isEmpty() || !kind.namespaced() ? "" : "/namespaces/" + namespace;
        return new Ask(
                method, base + space + "/" + kind.plural(), Map.of(), JSON, Optional.empty());
    }

    /// @param method method
    /// @param key object
    /// @return a request about one object
    static Ask of(String method, ResourceKey key) {
        return of(method, key.kind(), key.namespace()).below(key.name());
    }

    /// @param method method
    /// @param path path without a leading slash
    /// @return a request about something that is no object
    static Ask of(String method, String path) {
        return new Ask(method, path, Map.of(), JSON, Optional.empty());
    }

    Ask below(String segment) {
        return new Ask(method, path + "/" + segment, query, type, body);
    }

    /// @param name parameter
    /// @param value its value; nothing is added if it is empty
    Ask with(String name, String value) {
        if (value.isEmpty()) {
            return this;
        }
        var more = new LinkedHashMap<>(query);
        more.put(name, value);
        return new Ask(method, path, more, type, body);
    }

    Ask with(WriteOptions options) {
        return with("fieldManager", MANAGER)
                .with("fieldValidation", word(options.validation()))
                .with("dryRun", options.dryRun() ? "All" : "");
    }

    private static String word(Validation validation) {
        return switch (validation) {
            case STRICT -> "Strict";
            case WARN -> "Warn";
            case IGNORE -> "Ignore";
        };
    }

    Ask sending(JsonNode json) {
        return sending(JSON, json);
    }

    Ask sending(String mediaType, JsonNode json) {
        return new Ask(method, path, query, mediaType, Optional.of(json));
    }

    /// @param server the server's address, which may have a path of its own
    HttpUrl url(HttpUrl server) {
        var url = server.newBuilder().addPathSegments(path);
        // An address that ends with a slash has an empty last segment, which the first one fills.
        query.forEach(url::addQueryParameter);
        return url.build();
    }
}
