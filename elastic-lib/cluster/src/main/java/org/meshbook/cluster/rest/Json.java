package org.meshbook.cluster.rest;

import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.print.Table;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The bodies that the Kubernetes API has besides objects: lists, statuses, and what is served.
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final String[] VERBS = {
        "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"
    };

    private Json() {}

    private static ObjectNode of(String kind, String apiVersion) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", kind)
                .put("apiVersion", apiVersion);
    }

    /// @param kind kind of the elements
    /// @param objects the elements
    /// @param version from which a watch goes on
    /// @return them, as a list
    static ObjectNode list(ResourceKind kind, List<Resource> objects, long version) {
        var list = of(kind.kind() + "List", kind.apiVersion());
        list.putObject("metadata").put("resourceVersion", Long.toString(version));
        var items = list.putArray("items");
        objects.forEach(object -> items.add(object.json()));
        return list;
    }

    /// @param objects the rows
    /// @param narrow the table as it is printed
    /// @param wide the table with all its columns
    /// @param version of the collection
    /// @return it, as the API gives it to kubectl, which leaves the wide columns out unless asked
    static ObjectNode table(List<Resource> objects, Table narrow, Table wide, long version) {
        var table = of("Table", "meta.k8s.io/v1");
        table.putObject("metadata").put("resourceVersion", Long.toString(version));
        var columns = table.putArray("columnDefinitions");
        for (var head : wide.heads()) {
            columns.addObject()
                    .put("name", head)
                    .put("type", "string")
                    .put("format", head.equals("NAME") ? "name" : "")
                    .put("description", "")
                    .put("priority", narrow.heads().contains(head) ? 0 : 1);
        }
        var rows = table.putArray("rows");
        for (int i = 0; i < objects.size(); i++) {
            var row = rows.addObject();
            var cells = row.putArray("cells");
            wide.rows().get(i).forEach(cells::add);
            var object = of("PartialObjectMetadata", "meta.k8s.io/v1");
            object.set("metadata", objects.get(i).json().get("metadata"));
            row.set("object", object);
        }
        return table;
    }

    /// @param refusal why a request was refused
    /// @return it, as the API says it
    static ObjectNode status(ApiException refusal) {
        var status = of("Status", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", String.valueOf(refusal.getMessage()));
        status.put("reason", refusal.reason()).put("code", refusal.code());
        if (!refusal.causes().isEmpty()) {
            var causes = status.putObject("details").putArray("causes");
            refusal.causes()
                    .forEach(
                            cause ->
                                    causes.addObject()
                                            .put("reason", cause.reason())
                                            .put("message", cause.message())
                                            .put("field", cause.field()));
        }
        return status;
    }

    /// @param code how a command ended
    /// @return it, as the API says it
    static ObjectNode exit(int code) {
        if (code == 0) {
            return success();
        }
        var status = of("Status", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("reason", "NonZeroExitCode");
        status.put(
                "message",
                "command terminated with non-zero exit code: exit status %d".formatted(code));
        status.putObject("details")
                .putArray("causes")
                .addObject()
                .put("reason", "ExitCode")
                .put("message", Integer.toString(code));
        return status;
    }

    /// @return what a delete answers
    static ObjectNode success() {
        var status = of("Status", "v1");
        status.putObject("metadata");
        return status.put("status", "Success");
    }

    static ObjectNode version() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("major", "1")
                .put("minor", "35")
                .put("gitVersion", "v1.35.4+meshbook")
                .put("platform", "java");
    }

    static ObjectNode coreVersions() {
        var versions = of("APIVersions", "v1");
        versions.putArray("versions").add("v1");
        return versions;
    }

    static ObjectNode groups() {
        var list = of("APIGroupList", "v1");
        var groups = list.putArray("groups");
        Kinds.all().stream()
                .filter(kind -> !kind.group().isEmpty())
                .map(kind -> List.of(kind.group(), kind.version()))
                .distinct()
                .forEach(each -> group(groups.addObject(), each.getFirst(), each.getLast()));
        return list;
    }

    private static void group(ObjectNode group, String name, String version) {
        group.put("name", name);
        served(group.putArray("versions").addObject(), name, version);
        served(group.putObject("preferredVersion"), name, version);
    }

    private static void served(ObjectNode node, String group, String version) {
        node.put("groupVersion", group + "/" + version).put("version", version);
    }

    /// @param apiVersion `group/version`, or `v1`
    /// @return the resources served in it
    static ObjectNode resources(String apiVersion) {
        var list = of("APIResourceList", "v1").put("groupVersion", apiVersion);
        var resources = list.putArray("resources");
        for (var kind : Kinds.all()) {
            if (kind.apiVersion().equals(apiVersion)) {
                resource(resources.addObject(), kind, kind.plural(), VERBS);
                resource(
                        resources.addObject(),
                        kind,
                        kind.plural() + "/status",
                        new String[] {"get", "patch", "update"});
                if (kind.equals(Kinds.POD)) {
                    resource(resources.addObject(), kind, "pods/log", new String[] {"get"});
                    resource(resources.addObject(), kind, "pods/exec", new String[] {"get"});
                }
            }
        }
        return list;
    }

    private static void resource(ObjectNode node, ResourceKind kind, String name, String[] verbs) {
        node.put("name", name).put("singularName", "").put("namespaced", kind.namespaced());
        node.put("kind", kind.kind());
        var allowed = node.putArray("verbs");
        for (var verb : verbs) {
            allowed.add(verb);
        }
        if (!name.contains("/") && !kind.shortNames().isEmpty()) {
            var names = node.putArray("shortNames");
            kind.shortNames().forEach(names::add);
        }
    }

    /// Merges by the rules of RFC 7396: null removes, an object is merged, all else replaces.
    ///
    /// @param into changed in place
    /// @param patch what to change
    static void merge(ObjectNode into, JsonNode patch) {
        for (var field : patch.properties()) {
            var value = field.getValue();
            if (value.isNull()) {
                into.remove(field.getKey());
            } else if (value instanceof ObjectNode deeper) {
                var before = into.get(field.getKey());
                var target = before instanceof ObjectNode found ? found : into.objectNode();
                into.set(field.getKey(), target);
                merge(target, deeper);
            } else {
                into.set(field.getKey(), value);
            }
        }
    }
}
