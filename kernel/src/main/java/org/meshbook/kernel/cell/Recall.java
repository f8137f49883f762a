package org.meshbook.kernel.cell;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.jshell.Shell;

/// The value of cell 5 by the name `$5`.
///
/// It is declared when it is first used: JShell imports every variable into every later snippet, so
/// that a variable for each cell would slow all of them down.
final class Recall {
    private static final Pattern NAME =
            Pattern.compile("(?<![\\p{javaJavaIdentifierPart}.])\\$(\\d{1,9})\\b");

    private final Shell shell;
    private final RunningCell cell;

    Recall(Shell shell, RunningCell cell) {
        this.shell = shell;
        this.cell = cell;
    }

    /// Keeps what the cell ended with.
    ///
    /// @param source the expression; empty if it came of a magic
    void keep(@Nullable Object value, String source) {
        var results = cell.results();
        // The cell may have run before, under the same number.
        shell.dropVariable("$" + cell.number());
        var old = results.put(cell.number(), value, source);
        old.forEach(number -> shell.dropVariable("$" + number));
        if (!old.isEmpty() && results.tellOnce()) {
            cell.notice(results.why(old.getLast()));
        }
    }

    /// Declares what a snippet is about to use.
    ///
    /// @throws CellFailure if it was let go
    void before(String source) {
        var names = NAME.matcher(source);
        while (names.find()) {
            var name = names.group();
            var number = Integer.parseInt(names.group(1));
            if (!shell.hasVariable(name)) {
                if (cell.results().has(number)) {
                    declare(name, number);
                } else if (cell.results().isGone(number)) {
                    throw new CellFailure(
                            cell.wording().line("ResultGone", cell.results().why(number)));
                }
            }
        }
    }

    /// With the type of its expression, if that can still be told.
    private void declare(String name, int number) {
        var type =
                cell.results()
                        .source(number)
                        .map(source -> source.strip().replaceFirst(";+$", ""))
                        .map(source -> shell.ask(a -> a.analyzeType(source, source.length())))
                        .orElse("Object");
        if (!declared(name, number, type)) {
            var unused = declared(name, number, "Object");
        }
    }

    private boolean declared(String name, int number, String type) {
        var source =
                "%s %s = (%1$s) org.meshbook.kernel.display.Display.out(%d);"
                        .formatted(type, name, number);
        var evaluated = shell.eval(source, cell.thread(), null);
        if (evaluated.thrown() != null) {
            shell.dropVariable(name);
        }
        return evaluated.errors().isEmpty() && evaluated.thrown() == null;
    }
}
