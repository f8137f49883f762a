package org.meshbook.magics.lint;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.render.Table;

/// `%lint` and `%%lint`: checks manifests before a cluster does.
public final class LintMagic {
    private static final Grammar GRAMMAR = Linting.grammar("%lint");
    private static final String ABOUT =
            """
            Checks manifests: what a cluster would refuse or do otherwise than they read.

            %lint kueue.yaml jobs.yaml      files that are applied together
            %lint manifests --kueue 0.19    all of a folder, for another release of Kueue
            %%lint                          the rest of the cell

            Each finding names its rule, what the real programs say, and what to do. docs/linting.md
            lists the rules.
            """;

    private LintMagic() {}

    /// @return the magic
    public static Magic magic() {
        return new GrammarMagic(
                GRAMMAR,
                Magic.Form.LINE_AND_CELL,
                "files",
                ABOUT,
                (start, _) -> Folder.complete(start, _ -> true),
                LintMagic::run);
    }

    private static @Nullable Object run(Given given, Magic.Call call, Cell cell) {
        var linting =
                call.body().isEmpty()
                        ? Linting.ofFiles(given)
                        : Linting.ofText(given, "cell", call.body());
        if (linting.forPrograms()) {
            cell.out().println(linting.report(false));
            return null;
        }
        linting.notes().forEach(cell.out()::println);
        if (linting.findings().isEmpty()) {
            cell.out().println(linting.report(false));
            return null;
        }
        cell.display(
                DisplayData.text(linting.report(false)).and("text/html", table(linting).html()));
        return null;
    }

    private static Table table(Linting linting) {
        var table = Table.of("where", "", "rule", "what", "the real programs", "what to do");
        for (var finding : linting.findings()) {
            table =
                    table.row(
                            finding.source().name() + ":" + finding.place(),
                            finding.severity().letter(),
                            finding.rule().id(),
                            finding.message(),
                            finding.verdict(),
                            finding.fix());
        }
        return table;
    }
}
