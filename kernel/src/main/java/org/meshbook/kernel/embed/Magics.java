package org.meshbook.kernel.embed;

import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Display;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.MagicException;

/// Every magic as a static method, for code that cannot write `%slices 4`.
public final class Magics {
    private Magics() {}

    /// Runs a magic: in a cell as part of it, elsewhere in a session that starts with the first one
    /// and prints to the standard output.
    ///
    /// @param line the magic, as `slices 4`; its `%` may be there. More lines are the body of `%%`
    /// @throws MagicException if it failed; its message is one line
    /// @throws Exception what a magic in a cell threw
    public static void run(String line) throws Exception {
        var typed = line.strip();
        var text = typed.startsWith("%") ? typed : (typed.contains("\n") ? "%%" : "%") + typed;
        if (typed.isEmpty()) {
            throw new MagicException("no magic is named; Magics.run(\"help\") lists all");
        }
        var scope = Meshbook.isStarted() ? null : CurrentScope.find();
        if (scope != null && scope.cell() instanceof Cell cell) {
            var value = cell.run(text);
            if (value != null) {
                var unused = Display.display(value);
            }
            return;
        }
        Meshbook.start().run(text);
    }
}
