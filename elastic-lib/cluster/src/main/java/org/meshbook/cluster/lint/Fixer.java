package org.meshbook.cluster.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Edit;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Source;

/// Does what findings propose, where a machine can.
public final class Fixer {
    private static final int PASSES = 10;

    private Fixer() {}

    /// Fixes until nothing is left that it can fix.
    ///
    /// @param sources texts that are applied together
    /// @param kueue the release that they are for
    /// @return the same texts, fixed, in the same order
    public static List<Source> fix(List<Source> sources, Profile kueue) {
        var now = sources;
        for (int pass = 0; pass < PASSES; pass++) {
            var findings = Linter.lint(now, kueue);
            var next = new ArrayList<Source>();
            for (var source : now) {
                next.add(fix(source, findings));
            }
            if (next.equals(now)) {
                break;
            }
            now = next;
        }
        return now;
    }

    /// Indents and prose go first: other edits need a text that can be read as it stands.
    private static Source fix(Source source, List<Finding> findings) {
        var text = source.manifest().text();
        if (text.equals(source.text())) {
            text = edited(text, accepted(source, findings));
        }
        return text.equals(source.text()) ? source : Source.read(source.name(), text);
    }

    /// A finding's edits are done together or not at all.
    private static List<Edit> accepted(Source source, List<Finding> findings) {
        var accepted = new ArrayList<Edit>();
        for (var finding : findings) {
            if (finding.source() == source
                    && finding.edits().stream()
                            .noneMatch(e -> accepted.stream().anyMatch(a -> overlap(a, e)))) {
                accepted.addAll(finding.edits());
            }
        }
        return accepted;
    }

    private static boolean overlap(Edit a, Edit b) {
        return before(a.line(), a.column(), b.endLine(), b.endColumn())
                        && before(b.line(), b.column(), a.endLine(), a.endColumn())
                || a.line() == b.line() && a.column() == b.column();
    }

    private static boolean before(int line, int column, int otherLine, int otherColumn) {
        return line < otherLine || line == otherLine && column < otherColumn;
    }

    private static String edited(String text, List<Edit> edits) {
        var lines = text.split("(?<=\n)", -1);
        var result = new StringBuilder(text);
        edits.stream()
                .sorted(
                        Comparator.comparingInt(Edit::line)
                                .thenComparingInt(Edit::column)
                                .reversed())
                .forEach(
                        e ->
                                result.replace(
                                        offset(lines, e.line(), e.column()),
                                        offset(lines, e.endLine(), e.endColumn()),
                                        e.text()));
        return result.toString();
    }

    private static int offset(String[] lines, int line, int column) {
        int offset = 0;
        for (int i = 0; i < Math.min(line - 1, lines.length); i++) {
            offset += lines[i].length();
        }
        if (line > lines.length) {
            return offset;
        }
        var own = lines[line - 1];
        int points = own.codePointCount(0, own.length());
        return offset + own.offsetByCodePoints(0, Math.min(column - 1, points));
    }
}
