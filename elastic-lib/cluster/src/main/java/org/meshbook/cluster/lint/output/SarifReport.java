package org.meshbook.cluster.lint.output;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.meshbook.cluster.lint.rule.Edit;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Severity;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Findings as SARIF 2.1.0, for editors and code hosts.
public final class SarifReport {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

    private SarifReport() {}

    /// @param findings what was found
    /// @return one run with its rules and results
    public static String write(List<Finding> findings) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("$schema", SCHEMA).put("version", "2.1.0");
        var run = root.putArray("runs").addObject();
        var rules = findings.stream().map(Finding::rule).distinct().toList();
        var driver = run.putObject("tool").putObject("driver").put("name", "meshbook lint");
        rules(driver.putArray("rules"), rules);
        run.put("columnKind", "unicodeCodePoints");
        var results = run.putArray("results");
        findings.forEach(f -> result(results.addObject(), f, rules.indexOf(f.rule())));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }

    private static void rules(ArrayNode array, List<Rule> rules) {
        for (var rule : rules) {
            var node = array.addObject().put("id", rule.id());
            node.putObject("shortDescription").put("text", rule.title());
            node.putObject("help").put("text", rule.fix());
            node.putObject("defaultConfiguration").put("level", level(rule.severity()));
        }
    }

    private static void result(ObjectNode node, Finding finding, int index) {
        node.put("ruleId", finding.rule().id()).put("ruleIndex", index);
        node.put("level", level(finding.severity()));
        var says = finding.verdict().isEmpty() ? "" : "\n" + finding.verdict();
        node.putObject("message").put("text", finding.message() + says + "\nfix: " + finding.fix());
        var physical = node.putArray("locations").addObject().putObject("physicalLocation");
        physical.putObject("artifactLocation").put("uri", uri(finding.source().name()));
        var place = finding.place();
        physical.putObject("region")
                .put("startLine", place.line())
                .put("startColumn", place.column())
                .put("endColumn", place.column() + place.length());
        if (!finding.edits().isEmpty()) {
            fix(node.putArray("fixes").addObject(), finding);
        }
    }

    private static void fix(ObjectNode node, Finding finding) {
        node.putObject("description").put("text", finding.fix());
        var change = node.putArray("artifactChanges").addObject();
        change.putObject("artifactLocation").put("uri", uri(finding.source().name()));
        var replacements = change.putArray("replacements");
        for (Edit edit : finding.edits()) {
            var replacement = replacements.addObject();
            replacement
                    .putObject("deletedRegion")
                    .put("startLine", edit.line())
                    .put("startColumn", edit.column())
                    .put("endLine", edit.endLine())
                    .put("endColumn", edit.endColumn());
            replacement.putObject("insertedContent").put("text", edit.text());
        }
    }

    private static String level(Severity severity) {
        return switch (severity) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case INFO -> "note";
        };
    }

    private static String uri(String file) {
        try {
            var path = file.replace('\\', '/');
            boolean scheme = path.indexOf(':') >= 0 && !path.startsWith("/");
            return new URI(null, null, scheme ? "./" + path : path, null).toASCIIString();
        } catch (URISyntaxException e) {
            return "manifest.yaml";
        }
    }
}
