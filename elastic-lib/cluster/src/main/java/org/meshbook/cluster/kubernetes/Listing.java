package org.meshbook.cluster.kubernetes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.node.ObjectNode;

/// The objects of a kind and the version of which that is true.
///
/// @param objects objects by namespace and name
/// @param version the version from which a watch goes on
record Listing(List<Resource> objects, String version) {
    private static final int GONE = 410;
    private static final String PAGE = "500";

    /// Reads page by page. A server that has meanwhile forgotten what the first page was of is
    /// asked for all at once.
    static Listing read(Connection connection, ResourceKind kind, String namespace) {
        var all = Ask.of("GET", kind, namespace);
        try {
            return pages(connection, kind, all.with("limit", PAGE));
        } catch (ApiException refused) {
            if (refused.code() != GONE) {
                throw refused;
            }
            return pages(connection, kind, all);
        }
    }

    private static Listing pages(Connection connection, ResourceKind kind, Ask ask) {
        var objects = new ArrayList<Resource>();
        var next = "";
        while (true) {
            var page = connection.send(ask.with("continue", next), _ -> {});
            for (var item : page.path("items")) {
                objects.add(typed((ObjectNode) item, kind));
            }
            var metadata = page.path("metadata");
            next = metadata.path("continue").asString("");
            if (next.isEmpty()) {
                objects.sort(
                        Comparator.comparing(Resource::namespace).thenComparing(Resource::name));
                return new Listing(
                        List.copyOf(objects), metadata.path("resourceVersion").asString(""));
            }
        }
    }

    /// Servers leave out the kind of the items of built-in lists.
    private static Resource typed(ObjectNode item, ResourceKind kind) {
        if (item.has("kind")) {
            return new Resource(item);
        }
        var whole = item.objectNode().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        whole.setAll(item);
        return new Resource(whole);
    }
}
