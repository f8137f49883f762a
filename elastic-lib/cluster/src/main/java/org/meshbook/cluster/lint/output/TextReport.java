package org.meshbook.cluster.lint.output;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Severity;

/// Findings as compilers write them, a block each.
public final class TextReport {
    private static final int WIDTH = 160;

    private final boolean colours;

    /// @param colours whether the reader is a terminal
    public TextReport(boolean colours) {
        this.colours = colours;
    }

    /// @param findings what was found
    /// @return blocks parted by empty lines, and a line that counts them
    public String write(List<Finding> findings) {
        var text = new StringBuilder();
        findings.forEach(f -> text.append(block(f)).append("\n\n"));
        return text.append(summary(findings)).toString();
    }

    /// @param finding something found
    /// @return its block, without a line feed at its end
    public String block(Finding finding) {
        var lines = new ArrayList<String>();
        var place = finding.place();
        lines.add(
                "%s:%d:%d: %s %s %s"
                        .formatted(
                                finding.source().name(),
                                place.line(),
                                place.column(),
                                painted(finding.severity(), finding.severity().letter()),
                                finding.rule().id(),
                                finding.message()));
        excerpt(finding, lines);
        if (!finding.verdict().isEmpty()) {
            lines.add("  says: " + finding.verdict());
        }
        lines.add("  fix:  " + finding.fix());
        return String.join("\n", lines);
    }

    private static void excerpt(Finding finding, List<String> lines) {
        var line = finding.source().line(finding.place().line()).replace('\t', ' ').stripTrailing();
        int points = line.codePointCount(0, line.length());
        int column = Math.min(finding.place().column(), points + 1);
        if (line.isBlank()) {
            return;
        }
        int shift = Math.max(0, Math.min(column - WIDTH / 2, points - WIDTH));
        int from = line.offsetByCodePoints(0, shift);
        int to = line.offsetByCodePoints(from, Math.min(WIDTH, points - shift));
        int length = Math.max(1, Math.min(finding.place().length(), points - column + 1));
        lines.add("    " + line.substring(from, to));
        int caret = column - 1 - shift;
        lines.add(
                "    "
                        + " ".repeat(caret)
                        + "^".repeat(Math.max(1, Math.min(length, WIDTH - caret))));
    }

    private static String summary(List<Finding> findings) {
        if (findings.isEmpty()) {
            return "nothing found";
        }
        return "%s, %s, %s"
                .formatted(
                        counted(findings, Severity.ERROR, "error"),
                        counted(findings, Severity.WARNING, "warning"),
                        counted(findings, Severity.INFO, "note"));
    }

    private static String counted(List<Finding> findings, Severity severity, String word) {
        long count = findings.stream().filter(f -> f.severity() == severity).count();
        return count + " " + word + (count == 1 ? "" : "s");
    }

    private String painted(Severity severity, String text) {
        int colour =
                switch (severity) {
                    case ERROR -> 31;
                    case WARNING -> 33;
                    case INFO -> 36;
                };
        return colours ? "\u001b[%dm%s\u001b[0m".formatted(colour, text) : text;
    }
}
