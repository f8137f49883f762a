package org.meshbook.cluster.manifest;

import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ScannerException;

/// Says what SnakeYAML finds in go-yaml's words. Both are children of libyaml and find the same,
/// but say it in words of their own.
final class GoYaml {
    private static final Map<String, String> WORDS =
            Map.of(
                    "mapping values are not allowed here",
                    "mapping values are not allowed in this context",
                    "mapping keys are not allowed here",
                    "mapping keys are not allowed in this context",
                    "sequence entries are not allowed here",
                    "block sequence entries are not allowed in this context");

    private GoYaml() {}

    /// go-yaml counts the lines of what its scanner finds from one, of what its parser finds from
    /// zero, and leaves out the first.
    static String problem(MarkedYamlEngineException e) {
        int line =
                e.getProblemMark()
                        .or(e::getContextMark)
                        .map(m -> m.getLine() == 0 ? 0 : m.getLine() + scanned(e))
                        .orElse(0);
        return "yaml: " + (line == 0 ? "" : "line " + line + ": ") + words(e);
    }

    private static int scanned(MarkedYamlEngineException e) {
        return e instanceof ScannerException ? 1 : 0;
    }

    private static String words(MarkedYamlEngineException e) {
        var found = e.getProblem() == null ? "" : e.getProblem();
        var context = e.getContext() == null ? "" : e.getContext();
        if (found.contains("that cannot start any token")) {
            return "found character that cannot start any token";
        }
        if (found.startsWith("expected ',' or ")) {
            return "did not find expected ',' or '"
                    + (context.contains("mapping") ? "}" : "]")
                    + "'";
        }
        if (found.startsWith("expected <block end>")) {
            return context.contains("mapping")
                    ? "did not find expected key"
                    : "did not find expected '-' indicator";
        }
        if (found.startsWith("expected the node content")) {
            return "did not find expected node content";
        }
        if (found.startsWith("expected '<document start>'")) {
            return "did not find expected <document start>";
        }
        return WORDS.getOrDefault(found, found.isEmpty() ? "unknown problem" : found);
    }
}
