package org.meshbook.cluster.rest.form;

import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// As much of `/openapi/v3` as tells kubectl that the server checks fields by itself: without it,
/// kubectl wants all schemas, to do so on its side.
public final class OpenApi {
    /// Where it lies.
    public static final String PATH = "/openapi/v3";

    private OpenApi() {}

    /// @return where the document of each version lies
    public static ObjectNode index() {
        var index = JsonNodeFactory.instance.objectNode();
        var paths = index.putObject("paths");
        Kinds.all().stream()
                .map(OpenApi::base)
                .distinct()
                .forEach(base -> paths.putObject(base).put("serverRelativeURL", PATH + "/" + base));
        return index;
    }

    /// @param base such as `apis/batch/v1`
    /// @return which of its kinds can be patched with `fieldValidation`
    public static ObjectNode document(String base) {
        var document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.35.4");
        var paths = document.putObject("paths");
        Kinds.all().stream()
                .filter(kind -> base(kind).equals(base))
                .forEach(
                        kind -> {
                            var space = kind.namespaced() ? "/namespaces/{namespace}" : "";
                            var path = "/%s%s/%s/{name}".formatted(base, space, kind.plural());
                            patch(paths.putObject(path).putObject("patch"), kind);
                        });
        return document;
    }

    private static void patch(ObjectNode patch, ResourceKind kind) {
        patch.putArray("parameters").addObject().put("name", "fieldValidation").put("in", "query");
        patch.putObject("responses");
        patch.putObject("x-kubernetes-group-version-kind")
                .put("group", kind.group())
                .put("version", kind.version())
                .put("kind", kind.kind());
    }

    private static String base(ResourceKind kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
    }
}
