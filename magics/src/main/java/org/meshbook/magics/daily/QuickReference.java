package org.meshbook.magics.daily;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;

/// `%quickref`.
final class QuickReference {
    private static final String TEXT =
            """
            Cells
              int n = 40;  n + 2      the last expression's value is shown
              out(5)  $5  out()       the value of cell 5, of the last cell
              lastException()         what was thrown last
              display(x)              shows more than one value
              updateDisplay(id, x)    replaces what display gave the id for
              render(x, "text/html")  x as HTML

            Questions
              Tab                     completes; Shift-Tab tells about a name
              Math.max?  list?        documentation, value, source
              %help  %help time       all magics, one of them
              %who  %history          variables, cells

            Time and memory
              %time CODE              one run
              %timeit CODE            what it costs once warm
              %memory  %gc            what is used, what is held

            Files and processes
              %cd data  %pwd          the folder of magics
              %%writefile notes.txt   the cell into a file
              %sh ls  %%bash          a command, a script
              %save work.ipynb        the session into a file
              %load work.ipynb        a file as cells

            Libraries
              %maven group:name:1.0   from Maven repositories

            Slices
              %slices 4               four slices on this machine
              %events                 what happened to them

            Leaving
              the square button, Ctrl-C   stops the cell
              %reset  %exit               forgets all, ends the kernel
            """;

    private QuickReference() {}

    static Magic of() {
        return GrammarMagic.line(
                new Grammar("%quickref", List.of(), List.of()),
                "help",
                "Shows what is typed most, on one page.",
                (_, _, cell) -> {
                    cell.out().print(TEXT);
                    return null;
                });
    }
}
