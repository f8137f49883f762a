package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;
import static org.meshbook.cluster.lint.rule.Severity.INFO;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Repair;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Document;
import org.meshbook.cluster.manifest.Parameters;
import org.meshbook.cluster.manifest.Place;
import org.meshbook.cluster.manifest.Value;

/// Rules about the text: what copying does to it, and what nobody filled in.
final class TextRules {
    private static final Pattern PLACEHOLDER = Pattern.compile("<[A-Z][A-Z0-9 _-]*>");
    private static final Pattern WIDE = Pattern.compile("^\\s*-( {2,})[^\\s#].*");
    private static final Set<String> NAMING =
            Set.of(
                    "name",
                    "namespace",
                    "labels",
                    "nodeLabels",
                    "nodeSelector",
                    "matchLabels",
                    "clusterQueue",
                    "image",
                    "priorityClassName",
                    "groupName");

    private TextRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "YM001",
                        ERROR,
                        "an image that nobody filled in",
                        "write the image's address",
                        TextRules::image),
                new Rule(
                        "YM002",
                        WARNING,
                        "an argument that nobody filled in",
                        "write the value: the program gets the placeholder as it stands",
                        TextRules::argument),
                new Rule(
                        "YM003",
                        INFO,
                        "several blanks behind the dash of a list",
                        "none needed; one blank is usual",
                        TextRules::wideDash),
                new Rule(
                        "YM004",
                        ERROR,
                        "an indent or prose that came along from a page",
                        "dedent the text and leave out what is no manifest (`--fix` does)",
                        (rule, s) ->
                                repairs(
                                        rule,
                                        s,
                                        Repair.Kind.INDENTED,
                                        Repair.Kind.FIRST_LINE,
                                        Repair.Kind.PROSE)),
                new Rule(
                        "YM005",
                        ERROR,
                        "a manifest without its line feeds",
                        "take the text from a page that kept them, or write it anew",
                        (rule, s) -> repairs(rule, s, Repair.Kind.FLAT)),
                new Rule(
                        "YM006",
                        ERROR,
                        "a parameter that nobody filled in",
                        "run `envsubst`, or `%apply --set NAME=value`",
                        TextRules::parameter),
                new Rule(
                        "YM007",
                        ERROR,
                        "text that kubectl cannot read",
                        "correct the text",
                        TextRules::faults),
                new Rule(
                        "YM008",
                        WARNING,
                        "a key that its mapping has already",
                        "keep one: the last one counts",
                        TextRules::repeated));
    }

    private static Stream<Finding> image(Rule rule, Subject subject) {
        return scalars(subject)
                .filter(s -> s.field().equals("image") && placeholder(s.value()))
                .map(
                        s ->
                                rule.at(
                                                s.item(),
                                                s.value(),
                                                "the image is `%s`".formatted(s.value().text()))
                                        .verdict(
                                                "accepted; the pod then stays in"
                                                        + " InvalidImageName"));
    }

    private static Stream<Finding> argument(Rule rule, Subject subject) {
        return scalars(subject)
                .filter(s -> Set.of("command", "args", "env", "entrypoint").contains(s.field()))
                .filter(s -> placeholder(s.value()))
                .map(
                        s ->
                                rule.at(
                                                s.item(),
                                                s.value(),
                                                "`%s` still holds a placeholder"
                                                        .formatted(shown(s.value())))
                                        .verdict("accepted; the text is passed as it stands"));
    }

    private static boolean placeholder(Value value) {
        return PLACEHOLDER.matcher(value.text()).find();
    }

    private static String shown(Value value) {
        var text = value.text().strip().replace('\n', ' ');
        return text.length() > 60 ? text.substring(0, 57) + "..." : text;
    }

    private static Stream<Finding> wideDash(Rule rule, Subject subject) {
        return subject.sources().stream().flatMap(source -> wideDash(rule, source));
    }

    private static Stream<Finding> wideDash(Rule rule, Source source) {
        var found = new ArrayList<Finding>();
        var lines = source.manifest().text().lines().toList();
        boolean before = false;
        for (int i = 0; i < lines.size(); i++) {
            var wide = WIDE.matcher(lines.get(i));
            boolean now = wide.matches() && isItem(source, i + 1, wide.end(1) + 1);
            if (now && !before) {
                found.add(
                        rule.at(
                                        source,
                                        new Place(
                                                i + 1,
                                                wide.start(1),
                                                wide.end(1) - wide.start(1) + 1),
                                        "items stand %d blanks behind their dash"
                                                .formatted(wide.end(1) - wide.start(1)))
                                .verdict(
                                        "valid: `command` replaces the image's entry point and may"
                                                + " hold the arguments, too"));
            }
            before = now;
        }
        return found.stream();
    }

    /// A dash inside a script is none of ours.
    private static boolean isItem(Source source, int line, int column) {
        return source.manifest().documents().stream()
                .flatMap(d -> d.root().all())
                .flatMap(v -> v.items().stream())
                .anyMatch(
                        v ->
                                v.place().line() == line
                                        && v.place().column() == column
                                        && v.fields().isEmpty());
    }

    private static Stream<Finding> repairs(Rule rule, Subject subject, Repair.Kind... kinds) {
        var wanted = Set.of(kinds);
        return subject.sources().stream()
                .flatMap(
                        source ->
                                source.repairs().stream()
                                        .filter(r -> wanted.contains(r.kind()))
                                        .map(r -> repair(rule, source, r)));
    }

    private static Finding repair(Rule rule, Source source, Repair repair) {
        var message =
                switch (repair.kind()) {
                    case INDENTED ->
                            "the separator is indented, and so belongs to the text of the object"
                                    + " above it";
                    case FIRST_LINE -> "the first line is deeper than the next one";
                    case PROSE -> "what follows is prose, not a manifest";
                    case FLAT -> "the manifest stands on one line";
                };
        // The place is one of the text as it was given.
        return new Finding(
                rule,
                rule.severity(),
                source,
                source.moved(repair.place()),
                message,
                repair.verdict(),
                rule.fix(),
                List.of());
    }

    private static Stream<Finding> parameter(Rule rule, Subject subject) {
        return scalars(subject)
                .filter(s -> Parameters.FORM.matcher(s.value().text()).find())
                .filter(s -> NAMING.contains(s.field()))
                .map(s -> parameter(rule, s));
    }

    private static Finding parameter(Rule rule, Scalar scalar) {
        var text = scalar.value().text();
        var item = scalar.item();
        var finding = rule.at(item, scalar.value(), "`%s` is not filled in".formatted(text));
        var path = scalar.path();
        if (path.equals("metadata.name")) {
            return finding.verdict(
                    "The %s \"%s\" is invalid: metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                            .formatted(item.text("kind"), text, text));
        }
        if (path.startsWith("spec.nodeLabels")) {
            return finding.verdict(
                    "admission webhook \"vresourceflavor.kb.io\" denied the request: spec.nodeLabels: Invalid value: \"%s\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                            .formatted(text));
        }
        return finding;
    }

    private static Stream<Finding> faults(Rule rule, Subject subject) {
        return subject.sources().stream()
                .filter(s -> s.repairs().stream().noneMatch(r -> r.kind() == Repair.Kind.FLAT))
                .flatMap(
                        source ->
                                source.manifest().faults().stream()
                                        .map(
                                                f ->
                                                        rule.at(
                                                                        source,
                                                                        f.place(),
                                                                        "kubectl cannot read this"
                                                                                + " part of the text")
                                                                .verdict("error: " + f.text())));
    }

    private static Stream<Finding> repeated(Rule rule, Subject subject) {
        return subject.items()
                .flatMap(
                        item ->
                                item.document().repeated().stream()
                                        .map(r -> repeated(rule, item, r)));
    }

    private static Finding repeated(Rule rule, Item item, Document.Repeated key) {
        int line = item.source().given(key.first()).line();
        return rule.at(
                        item.source(),
                        key.place(),
                        "`%s` stands in line %d already; that one is lost"
                                .formatted(key.path(), line))
                .verdict(
                        "kubectl drops the first one in silence; a server that gets YAML answers: strict decoding error: yaml: unmarshal errors: line %d: key \"%s\" already set in map"
                                .formatted(key.place().line(), last(key.path())));
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /// A scalar and the field that it, or the list or map that it is in, belongs to.
    private record Scalar(Item item, String path, String field, Value value) {}

    private static Stream<Scalar> scalars(Subject subject) {
        return subject.items().flatMap(item -> scalars(item, item.document().root(), "", ""));
    }

    private static Stream<Scalar> scalars(Item item, Value value, String path, String field) {
        if (value.json().isValueNode()) {
            return Stream.of(new Scalar(item, path, field, value));
        }
        var fields =
                value.fields().entrySet().stream()
                        .flatMap(
                                e ->
                                        scalars(
                                                item,
                                                e.getValue(),
                                                path.isEmpty()
                                                        ? e.getKey()
                                                        : path + "." + e.getKey(),
                                                inherits(field) ? field : e.getKey()));
        var items = value.items().stream().flatMap(v -> scalars(item, v, path, field));
        return Stream.concat(fields, items);
    }

    /// Labels have names of their own.
    private static boolean inherits(String field) {
        return Set.of("labels", "nodeLabels", "nodeSelector", "matchLabels", "env").contains(field);
    }
}
