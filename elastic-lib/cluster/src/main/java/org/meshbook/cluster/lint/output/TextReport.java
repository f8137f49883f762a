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
        var shown = line.substring(from, to);
        int start = shown.offsetByCodePoints(0, Math.min(column - 1 - shift, WIDTH));
        int end =
                start
                        + line.substring(from + start, to)
                                .codePoints()
                                .limit(length)
                                .map(Character::charCount)
                                .sum();
        lines.add("    " + shown);
        var mark = "^".repeat(Math.max(1, width(shown.substring(start, end))));
        lines.add("    " + " ".repeat(width(shown.substring(0, start))) + mark);
    }

    /// A terminal gives ideographs two columns.
    private static int width(String text) {
        return text.codePoints().map(c -> wide(c) ? 2 : 1).sum();
    }

    private static boolean wide(int c) {
        return c >= 0x1100 && c <= 0x115F
                || c >= 0x2E80 && c <= 0xA4CF
                || c >= 0xAC00 && c <= 0xD7A3
                || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFF00 && c <= 0xFF60
                || c >= 0x1F300 && c <= 0x1FAFF
                || c >= 0x20000 && c <= 0x3FFFD;
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
