package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.http.Exchange;

/// What a request is about, read from its path and its query.
///
/// @param kind which kind, in the version asked for
/// @param namespace namespace, `""` for all of them and for kinds that have none
/// @param name an object's name, `""` for the whole collection
/// @param subresource such as `status`, `""` for the object itself
/// @param query values of parameters by name
record Call(
        ResourceKind kind,
        String namespace,
        String name,
        String subresource,
        Map<String, List<String>> query) {

    /// @param exchange a request whose path names a resource
    /// @return what it is about; empty if no such resource is served
    static Optional<Call> of(Exchange exchange) {
        var parts = parts(exchange.path());
        boolean core = parts.size() > 2 && parts.getFirst().equals("api");
        boolean grouped = parts.size() > 3 && parts.getFirst().equals("apis");
        if (!core && !grouped) {
            return Optional.empty();
        }
        var apiVersion = core ? parts.get(1) : parts.get(1) + "/" + parts.get(2);
        var rest = new ArrayList<>(parts.subList(core ? 2 : 3, parts.size()));
        var namespace = "";
        // The namespace itself is an object, too: /api/v1/namespaces/NAME.
        if (rest.size() > 2 && rest.getFirst().equals("namespaces")) {
            namespace = rest.get(1);
            rest.subList(0, 2).clear();
        }
        var plural = rest.getFirst();
        var space = namespace;
        return Kinds.served(apiVersion, plural)
                .map(
                        kind ->
                                new Call(
                                        kind,
                                        kind.namespaced() ? space : "",
                                        rest.size() > 1 ? rest.get(1) : "",
                                        rest.size() > 2 ? rest.get(2) : "",
                                        query(exchange.query())));
    }

    private static List<String> parts(String path) {
        return Arrays.stream(path.split("/"))
                .filter(part -> !part.isEmpty())
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), UTF_8))
                .toList();
    }

    private static Map<String, List<String>> query(String raw) {
        var found = new HashMap<String, List<String>>();
        for (var pair : raw.isEmpty() ? new String[0] : raw.split("&")) {
            int at = pair.indexOf('=');
            var name = URLDecoder.decode(at < 0 ? pair : pair.substring(0, at), UTF_8);
            var value = URLDecoder.decode(at < 0 ? "" : pair.substring(at + 1), UTF_8);
            found.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        }
        return found;
    }

    /// @return that a body of that type is not understood
    static ApiException unreadable() {
        return new ApiException(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json, application/json-patch+json,"
                        + " application/merge-patch+json,"
                        + " application/strategic-merge-patch+json, application/apply-patch+yaml",
                List.of());
    }

    boolean isCollection() {
        return name.isEmpty();
    }

    /// @return the object's key, in the version in which it is kept
    ResourceKey key() {
        return Kinds.kept(kind).key(namespace, name);
    }

    /// @param parameter a parameter's name
    /// @return its value, `""` if it was not given
    String asked(String parameter) {
        return query.getOrDefault(parameter, List.of("")).getLast();
    }

    /// @param parameter a parameter that may be given several times
    /// @return its values
    List<String> all(String parameter) {
        return query.getOrDefault(parameter, List.of());
    }

    boolean isTrue(String parameter) {
        return asked(parameter).equals("true") || asked(parameter).equals("1");
    }

    /// @return that this resource does not take the method
    static ApiException notAllowed() {
        return new ApiException(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                List.of());
    }
}
