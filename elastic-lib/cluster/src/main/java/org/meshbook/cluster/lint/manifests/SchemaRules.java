package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Parameters;
import org.meshbook.cluster.schema.NameRules;
import org.meshbook.cluster.schema.ObjectSchema;
import org.meshbook.cluster.schema.Schemas;

/// Rules that the schemas of the API hold: fields that are not there, values that may not be.
final class SchemaRules {
    private static final String KUEUE = "kueue.x-k8s.io/";

    private SchemaRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "KQ002",
                        ERROR,
                        "a field that Kueue does not have",
                        "delete it",
                        (rule, s) -> unknown(rule, s, true)),
                new Rule(
                        "SC001",
                        ERROR,
                        "a field that the kind does not have",
                        "delete it, or look for its right name and place",
                        (rule, s) -> unknown(rule, s, false)),
                new Rule(
                        "SC002",
                        ERROR,
                        "a value that the API server refuses",
                        "write a value that it takes",
                        SchemaRules::values),
                new Rule(
                        "SC003",
                        ERROR,
                        "a name or label that the API server refuses",
                        "write a name that it takes",
                        SchemaRules::names));
    }

    private static Optional<ObjectSchema> schema(Item item, Profile kueue) {
        return item.document().kind().flatMap(kind -> Schemas.of(kueue, kind));
    }

    private static Stream<Finding> unknown(Rule rule, Subject subject, boolean ofKueue) {
        return subject.items()
                .filter(item -> item.text("apiVersion").startsWith(KUEUE) == ofKueue)
                .flatMap(
                        item ->
                                schema(item, subject.kueue()).stream()
                                        .flatMap(
                                                s ->
                                                        s
                                                                .prune(
                                                                        item.document()
                                                                                .resource()
                                                                                .json()
                                                                                .deepCopy())
                                                                .stream())
                                        .map(path -> unknown(rule, item, path)));
    }

    private static Finding unknown(Rule rule, Item item, String path) {
        var value = item.find(path);
        int dot = path.lastIndexOf('.');
        var outer = dot < 0 ? item.text("kind") : path.substring(0, dot);
        var finding =
                rule.at(item, value, "%s has no field %s".formatted(outer, path.substring(dot + 1)))
                        .verdict(
                                "Error from server (BadRequest): error when creating \"%s\": %s in version \"%s\" cannot be handled as a %2$s: strict decoding error: unknown field \"%s\" (with --validate=warn: Warning: unknown field; then it is dropped)"
                                        .formatted(
                                                item.source().name(),
                                                item.text("kind"),
                                                item.version(),
                                                path))
                        .edits(Texts.without(item.source(), value.key()));
        return path.startsWith("spec.preemption.")
                ? finding.fix("delete it; did you mean withinClusterQueue or borrowWithinCohort?")
                : finding;
    }

    private static Stream<Finding> values(Rule rule, Subject subject) {
        return subject.items()
                .flatMap(
                        item ->
                                schema(item, subject.kueue()).stream()
                                        .flatMap(s -> causes(s, item).stream())
                                        .filter(cause -> !elsewhere(cause))
                                        .map(
                                                cause ->
                                                        rule.at(
                                                                        item,
                                                                        item.find(cause.field()),
                                                                        cause.field()
                                                                                + " is not as it"
                                                                                + " must be")
                                                                .verdict(
                                                                        "The %s \"%s\" is invalid: %s: %s"
                                                                                .formatted(
                                                                                        item.text(
                                                                                                "kind"),
                                                                                        item.name(),
                                                                                        cause
                                                                                                .field(),
                                                                                        cause
                                                                                                .message()))));
    }

    private static List<Cause> causes(ObjectSchema schema, Item item) {
        var object = item.document().resource().json().deepCopy();
        schema.prune(object);
        schema.fill(object);
        return schema.check(object, Optional.empty());
    }

    /// What rules of their own say better.
    private static boolean elsewhere(Cause cause) {
        var field = cause.field();
        var message = cause.message();
        return field.equals("<nil>")
                || field.endsWith(".coveredResources") && message.startsWith("Required value")
                || field.endsWith("template.spec.restartPolicy")
                || message.contains("when cohort is empty")
                || message.contains("reclaimWithinCohort=Never")
                || message.contains("same number of resources");
    }

    private static Stream<Finding> names(Rule rule, Subject subject) {
        return subject.items()
                .filter(
                        item ->
                                !item.text("metadata", "generateName").isEmpty()
                                        || item.at("metadata").exists())
                .flatMap(
                        item ->
                                item.document().kind().stream()
                                        .flatMap(
                                                kind ->
                                                        NameRules.check(
                                                                kind, item.document().resource())
                                                                .stream())
                                        .filter(cause -> !generated(item, cause) && !open(cause))
                                        .map(
                                                cause ->
                                                        rule.at(
                                                                        item,
                                                                        item.find(cause.field()),
                                                                        cause.field()
                                                                                + " is not as it"
                                                                                + " must be")
                                                                .verdict(
                                                                        "The %s \"%s\" is invalid: %s: %s"
                                                                                .formatted(
                                                                                        item.text(
                                                                                                "kind"),
                                                                                        item.name(),
                                                                                        cause
                                                                                                .field(),
                                                                                        cause
                                                                                                .message()))));
    }

    private static boolean generated(Item item, Cause cause) {
        return cause.message().contains("generateName")
                && !item.text("metadata", "generateName").isEmpty();
    }

    /// Parameters that nobody filled in have a rule of their own.
    private static boolean open(Cause cause) {
        return Parameters.FORM.matcher(cause.message()).find();
    }
}
