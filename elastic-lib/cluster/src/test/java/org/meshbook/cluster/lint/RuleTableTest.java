package org.meshbook.cluster.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.lint.manifests.RuleBook;
import org.meshbook.cluster.lint.rule.Rule;

/// The table of rules in the documentation is made from the rules: `-Dgolden.write=true` writes it.
class RuleTableTest {
    private static final Path PAGE = Path.of("../../docs/linting.md");
    private static final String FROM = "<!-- rules -->\n";
    private static final String TO = "<!-- end of rules -->\n";

    private static String table(String head, List<Rule> rules) {
        var table =
                new StringBuilder(
                        head + "\n\n| rule | | finds | what to do |\n|---|---|---|---|\n");
        for (var rule : rules) {
            table.append(
                    "| %s | %s | %s | %s |\n"
                            .formatted(
                                    rule.id(),
                                    rule.severity().letter(),
                                    rule.title(),
                                    rule.fix().replace("|", "\\|")));
        }
        return table.append("\n").toString();
    }

    private static String tables() {
        var manifests = RuleBook.rules();
        var documents = Linter.rules().stream().filter(r -> !manifests.contains(r)).toList();
        return table("### In manifests", manifests)
                + table("### In documents (`--document`)", documents);
    }

    @Test
    void theDocumentationListsEveryRule() throws IOException {
        var page = Files.readString(PAGE);
        int from = page.indexOf(FROM) + FROM.length();
        int to = page.indexOf(TO);
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(PAGE, page.substring(0, from) + "\n" + tables() + page.substring(to));
            return;
        }
        assertThat(page.substring(from, to)).isEqualTo("\n" + tables());
    }

    @Test
    void idsAreUniqueAndReadAlike() {
        var ids = Linter.rules().stream().map(Rule::id).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[A-Z]{2}\\d{3}"));
    }
}
