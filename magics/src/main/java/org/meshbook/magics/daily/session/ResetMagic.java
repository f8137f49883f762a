package org.meshbook.magics.daily.session;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;

/// `%reset`.
final class ResetMagic {
    private ResetMagic() {}

    static Magic of() {
        return GrammarMagic.line(
                new Grammar("%reset", List.of(), List.of(Flag.plain("-f", "does not ask"))),
                "session",
                """
                Forgets all variables, methods, types, imports and results.

                What every cell has stays: the start-up imports, the class path, the slices, the
                history. Threads that cells started go on. The memory of what variables held is free.
                """,
                (given, _, cell) -> reset(given, cell));
    }

    private static @Nullable Object reset(Given given, Cell cell) throws InterruptedException {
        var workspace = cell.workspace();
        var declared =
                workspace.declarations().stream()
                        .filter(d -> d.kind() != Declaration.Kind.STATEMENT)
                        .count();
        if (!given.has("-f") && declared > 0 && !agreed(declared, cell)) {
            cell.out().println("nothing was forgotten");
            return null;
        }
        workspace.reset();
        cell.out()
                .println(
                        declared == 1
                                ? "forgot 1 declaration"
                                : "forgot %d declarations".formatted(declared));
        return null;
    }

    private static boolean agreed(long declared, Cell cell) throws InterruptedException {
        try {
            var answer =
                    cell.ask("forget %d declarations? y or n ".formatted(declared), false)
                            .strip()
                            .toLowerCase(Locale.ROOT);
            return answer.equals("y") || answer.equals("yes");
        } catch (IOException e) {
            throw new MagicException("nobody can be asked here; %reset -f does not ask");
        }
    }
}
