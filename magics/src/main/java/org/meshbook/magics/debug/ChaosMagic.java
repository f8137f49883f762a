package org.meshbook.magics.debug;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.chaos.Chaos;
import org.meshbook.elastic.chaos.ChaosReport;
import org.meshbook.elastic.chaos.FaultKind;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;

/// `%chaos`: faults on purpose, and what came of them.
public final class ChaosMagic {
    private static final String OFF = "off";

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%chaos",
                    List.of(
                            "FAULT[,FAULT] or off",
                            "slice=N",
                            "at step=K",
                            "every=K",
                            "seed=S",
                            "for=TIME",
                            "share=0.5",
                            "anyway"),
                    List.of());

    private static final String ABOUT =
            """
            Does real faults to slices, now or at a step, and shows what came of them.

            %chaos kill slice=2                      now
            %chaos kill slice=2 at step=130          when step 130 is done, of this run or the next
            %chaos kill,notice,stop every=50 seed=7  one in each 50 steps, chosen by the seed
            %chaos stop slice=1 for=2s               a hang that ends
            %chaos full-disk slice=0 for=30s         10 s unless said otherwise, as partition, torn-write
            %chaos                                   what is armed, and what was done
            %chaos off                               disarms, continues what hangs, mends networks and disks

            """;

    private ChaosMagic() {}

    /// @return the magic
    public static Magic line() {
        var starts =
                Stream.of(
                                FaultKind.words(),
                                List.of(OFF, "slice=", "at", "step=", "every=", "seed="),
                                List.of("for=", "share=", "anyway"))
                        .flatMap(List::stream)
                        .toList();
        return GrammarMagic.line(GRAMMAR, "slices", ABOUT + meanings(), ChaosMagic::run)
                .completing((word, _) -> starts.stream().filter(s -> s.startsWith(word)).toList());
    }

    private static String meanings() {
        return Stream.of(FaultKind.values())
                .map(kind -> "%-10s %s".formatted(kind.word(), kind.meaning()))
                .collect(Collectors.joining("\n"));
    }

    private static @Nullable Object run(Given given, Magic.Call call, Cell cell) {
        try {
            if (given.words().isEmpty()) {
                return Chaos.on(Manager.current()).report();
            }
            if (given.words().equals(List.of(OFF))) {
                Chaos.on(Manager.current()).off();
                cell.out().println("nothing is armed, and what can be taken back is taken back");
                return null;
            }
            var words = ChaosWords.of(GRAMMAR, given.words());
            var chaos = Chaos.on(Manager.current());
            tell(chaos.report(), words.apply(chaos), cell);
            return null;
        } catch (UsageError e) {
            var line = new MagicException("%chaos: " + e.getMessage());
            line.initCause(e);
            throw line;
        }
    }

    /// Says what is new.
    private static void tell(ChaosReport before, ChaosReport after, Cell cell) {
        after.armed().stream()
                .filter(line -> !before.armed().contains(line))
                .forEach(line -> cell.out().println("armed: " + line));
        if (after.faults().size() > before.faults().size()) {
            var fault = after.faults().getLast();
            var done =
                    "done: %s slice %d; %%chaos tells what came of it"
                            .formatted(fault.kind().word(), fault.slice());
            cell.out().println(fault.saw().startsWith("held back") ? fault.saw() : done);
        }
    }
}
