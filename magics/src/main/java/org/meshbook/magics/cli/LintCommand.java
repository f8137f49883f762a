package org.meshbook.magics.cli;

import java.util.List;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.lint.Linting;

/// Checks manifests: exit 0 if nothing is worse than a note, 1 if something is, 2 if it cannot be
/// checked.
public final class LintCommand implements Command {
    private static final Grammar GRAMMAR = Linting.grammar("lint");

    @Override
    public String name() {
        return "lint";
    }

    @Override
    public String summary() {
        return "checks manifests: what a cluster would refuse, or do otherwise than they read";
    }

    @Override
    public int run(List<String> arguments) {
        if (arguments.contains("--help")) {
            System.out.println(GRAMMAR.usage());
            return 0;
        }
        try {
            var linting = Linting.ofFiles(GRAMMAR.parse(arguments));
            linting.notes().forEach(System.err::println);
            System.out.println(linting.report(coloured()));
            return linting.status();
        } catch (MagicException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 2;
        }
    }

    private static boolean coloured() {
        var console = System.console();
        return console != null && console.isTerminal() && System.getenv("NO_COLOR") == null;
    }
}
