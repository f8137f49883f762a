package org.meshbook.magics.events;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Recoveries;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.slices.Lease;

/// `%recovery` and `%goodput`: what losses cost.
public final class RecoveryMagics {
    private static final String GROUP = "slices";
    private static final Grammar RECOVERY =
            new Grammar(
                    "%recovery",
                    List.of("[N]"), List.of(Flag.plain("--all", "lists all, one line each")));
    private static final Grammar GOODPUT = new Grammar("%goodput", List.of(), List.of());

    private final Lease lease;

    private RecoveryMagics(Lease lease) {
        this.lease = lease;
    }

    /// @param lease the slices of this process
    /// @return the magics
    public static List<Magic> of(Lease lease) {
        var magics = new RecoveryMagics(lease);
        return List.of(
                GrammarMagic.line(
                        RECOVERY,
                        GROUP,
                        "Explains what a lost slice or a growth cost, phase by phase.\n\n"
                                + "%recovery      the last one\n"
                                + "%recovery 3    the third\n"
                                + "%recovery --all",
                        (given, _, _) -> magics.recovery(given)),
                GrammarMagic.line(
                        GOODPUT,
                        GROUP,
                        "Shows where the time of the last elastic run went: steps, losses, growth.",
                        (_, _, _) -> magics.manager().goodput()));
    }

    private Object recovery(Given given) {
        var all = manager().recoveries();
        return given.has("--all") || all.all().isEmpty() ? all : chosen(all, given);
    }

    private static Recovery chosen(Recoveries all, Given given) {
        int count = all.all().size();
        int number =
                given.word(0).map(word -> given.number("recovery", word, 1, count)).orElse(count);
        return all.all().get(number - 1);
    }

    private Manager manager() {
        if (lease.session().flatMap(session -> session.allocation()).isEmpty()) {
            throw new MagicException(
                    "no slices are provisioned, so nothing was lost; try %slices 4");
        }
        try {
            return Manager.current();
        } catch (UsageError e) {
            var line = new MagicException(String.valueOf(e.getMessage()));
            line.initCause(e);
            throw line;
        }
    }
}
