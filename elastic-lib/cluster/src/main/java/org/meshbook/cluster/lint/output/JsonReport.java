package org.meshbook.cluster.lint.output;

import java.util.List;
import java.util.Locale;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Finding;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/// Findings as JSON, for programs.
public final class JsonReport {
    private static final JsonMapper MAPPER = new JsonMapper();

    private JsonReport() {}

    /// @param findings what was found
    /// @param kueue the release that was asked for
    /// @return `{"kueue": "0.17", "findings": [{"file", "line", "column", "length", "severity",
    ///   "rule", "message", "says", "fix", "fixable"}]}`
    public static String write(List<Finding> findings, Profile kueue) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("kueue", kueue.text());
        var list = root.putArray("findings");
        for (var finding : findings) {
            list.addObject()
                    .put("file", finding.source().name())
                    .put("line", finding.place().line())
                    .put("column", finding.place().column())
                    .put("length", finding.place().length())
                    .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                    .put("rule", finding.rule().id())
                    .put("message", finding.message())
                    .put("says", finding.verdict())
                    .put("fix", finding.fix())
                    .put("fixable", !finding.edits().isEmpty());
        }
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
