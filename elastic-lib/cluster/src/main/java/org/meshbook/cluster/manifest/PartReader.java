package org.meshbook.cluster.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the object of one part, or says in kubectl's words why it cannot.
final class PartReader {
    private final String name;
    private final Part part;

    PartReader(String name, Part part) {
        this.name = name;
        this.part = part;
    }

    void read(List<Document> documents, List<Fault> faults) {
        var tree = tree(faults);
        if (tree != null && !tree.root().json().isNull()) {
            check(tree, documents, faults);
        }
        if (!part.stray().isEmpty()) {
            faults.add(
                    Fault.syntax(
                            Fault.Kind.SYNTAX,
                            name,
                            new Place(part.strayLine(), 1, "---".length()),
                            "invalid Yaml document separator: " + part.stray()));
        }
    }

    private @Nullable Tree tree(List<Fault> faults) {
        try {
            return Tree.read(part);
        } catch (Unreadable e) {
            faults.add(fault(e.kind(), e.place(), e.getMessage()));
        } catch (MarkedYamlEngineException e) {
            faults.add(fault(Fault.Kind.SYNTAX, place(e), GoYaml.problem(e)));
        } catch (YamlEngineException e) {
            faults.add(
                    fault(
                            Fault.Kind.SYNTAX,
                            new Place(part.lines() + 1, 1, 1),
                            "yaml: control characters are not allowed"));
        }
        return null;
    }

    private Fault fault(Fault.Kind kind, Place place, @Nullable String problem) {
        return Fault.syntax(kind, name, place, "error converting YAML to JSON: " + problem);
    }

    private Place place(MarkedYamlEngineException e) {
        return e.getProblemMark()
                .or(e::getContextMark)
                .map(m -> new Place(part.lines() + m.getLine() + 1, m.getColumn() + 1, 1))
                .orElse(new Place(part.lines() + 1, 1, 1));
    }

    private void check(Tree tree, List<Document> documents, List<Fault> faults) {
        var root = tree.root();
        var problems = problems(root.json());
        if (!problems.isEmpty()) {
            var text = problems.size() == 1 ? problems.getFirst() : problems.toString();
            faults.add(Fault.invalid(name, root.place(), text));
            return;
        }
        if (!root.at("items").json().isArray()) {
            documents.add(new Document(part.index(), root, tree.repeated(), tree.dropped()));
            return;
        }
        for (var item : root.at("items").items()) {
            var object = ofList(root, item);
            var wrong = problems(object.json());
            if (wrong.isEmpty()) {
                documents.add(new Document(part.index(), object, List.of(), Optional.empty()));
            } else {
                var text = wrong.size() == 1 ? wrong.getFirst() : wrong.toString();
                faults.add(Fault.invalid(name, item.place(), text));
            }
        }
    }

    /// Items of a `JobSetList` need not say that they are JobSets.
    private static Value ofList(Value list, Value item) {
        var kind = list.at("kind").text();
        boolean typed = kind.length() > 4 && kind.endsWith("List");
        if (!typed
                || !(item.json() instanceof ObjectNode object)
                || item.at("kind").exists()
                || item.at("apiVersion").exists()) {
            return item;
        }
        var named = object.deepCopy();
        named.put("apiVersion", list.at("apiVersion").text());
        named.put("kind", kind.substring(0, kind.length() - "List".length()));
        var fields = new java.util.LinkedHashMap<>(item.fields());
        for (var field : List.of("apiVersion", "kind")) {
            fields.put(field, list.at(field).under(list.at(field).key()));
        }
        fields.computeIfPresent(
                "kind",
                (_, v) -> new Value(v.key(), v.place(), named.get("kind"), v.fields(), v.items()));
        return new Value(item.key(), item.place(), named, fields, item.items());
    }

    private static List<String> problems(JsonNode json) {
        if (!json.isObject()) {
            return List.of("invalid object to validate");
        }
        var problems = new ArrayList<String>();
        for (var field : List.of("apiVersion", "kind")) {
            var value = json.path(field);
            if (value.isMissingNode() || value.isNull()) {
                problems.add(field + " not set");
            } else if (!value.isString()) {
                problems.add(field + " isn't string type");
            }
        }
        return problems;
    }
}
