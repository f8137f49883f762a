package org.meshbook.cluster.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.manifests.RuleBook;
import org.meshbook.cluster.lint.output.JsonReport;
import org.meshbook.cluster.lint.output.SarifReport;
import org.meshbook.cluster.lint.output.TextReport;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Text;

/// No text makes the linter throw, whatever stands in it.
@Timeout(120)
class AnyTextTest {
    private static final List<String> PIECES =
            List.of(
                    "",
                    "-",
                    "- ",
                    ":",
                    ": ",
                    "{",
                    "}",
                    "[",
                    "]",
                    "&a ",
                    "*a",
                    "!!int ",
                    "|",
                    ">",
                    "'",
                    "\"",
                    "#",
                    "---",
                    "\n",
                    "\n  ",
                    "\t",
                    "\u0000",
                    "\uD83D",
                    "é漢😀",
                    "null",
                    "1e99999999",
                    "99999999999999999999",
                    "-1",
                    "yes",
                    "${X}",
                    "<X>",
                    "<<: ",
                    "? ",
                    "%YAML 1.1\n");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noTextMakesItThrow(long seed) {
        var random = new Random(seed);
        var examples = RuleBook.rules().stream().map(r -> Example.of(r.id())).toList();
        for (int i = 0; i < 150; i++) {
            var example = examples.get(random.nextInt(examples.size()));
            var text = new StringBuilder(random.nextInt(9) == 0 ? "" : example.bad());
            for (int edits = random.nextInt(6); edits >= 0; edits--) {
                edit(text, random);
            }
            lint(text.toString(), Profile.values()[random.nextInt(3)]);
        }
    }

    private static void edit(StringBuilder text, Random random) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(8));
        var lines = text.toString().split("\n", -1);
        switch (random.nextInt(4)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(from, PIECES.get(random.nextInt(PIECES.size())));
            case 2 -> text.insert(from, lines[random.nextInt(lines.length)]);
            default -> text.replace(from, to, PIECES.get(random.nextInt(PIECES.size())));
        }
    }

    private static void lint(String text, Profile kueue) {
        var source = Source.read("any.yaml", text);
        var findings = Linter.lint(List.of(source, source), kueue);
        assertThat(new TextReport(true).write(findings)).isNotEmpty();
        assertThat(JsonReport.write(findings, kueue)).isNotEmpty();
        assertThat(SarifReport.write(findings)).isNotEmpty();
        assertThat(Fixer.fix(List.of(source), kueue)).hasSize(1);
        assertThat(Linter.lintDocuments(List.of(new Text("any.txt", text)), kueue)).isNotNull();
    }
}
