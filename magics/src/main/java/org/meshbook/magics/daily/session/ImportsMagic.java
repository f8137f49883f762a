package org.meshbook.magics.daily.session;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Declaration.Kind;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;

/// `%imports`.
final class ImportsMagic {
    private ImportsMagic() {}

    static Magic of(List<String> standard) {
        return GrammarMagic.line(
                new Grammar(
                        "%imports",
                        List.of(), List.of(Flag.plain("--all", "those that every cell has, too"))),
                "session",
                "Shows the imports of this session.",
                (given, _, cell) -> {
                    var own =
                            cell.workspace().declarations().stream()
                                    .filter(d -> d.kind() == Kind.IMPORT)
                                    .map(Declaration::source)
                                    .toList();
                    if (given.has("--all")) {
                        standard.forEach(cell.out()::println);
                    }
                    own.forEach(cell.out()::println);
                    if (own.isEmpty() && !given.has("--all")) {
                        cell.out()
                                .println(
                                        "no imports yet, but the %d that every cell has: %%imports --all"
                                                .formatted(standard.size()));
                    }
                    return null;
                });
    }
}
