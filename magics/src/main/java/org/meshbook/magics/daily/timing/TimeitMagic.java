package org.meshbook.magics.daily.timing;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Grammar;

/// `%timeit` and `%%timeit`: the code in a compiled loop, once it is warm.
record TimeitMagic() implements Magic {
    private static final int MOST_RUNS = 1_000;
    private static final String LOOP = TimedLoop.class.getName();

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%timeit",
                    List.of("CODE"),
                    List.of(
                            new Flag("-n", "TURNS", "turns of one run (as many as take 0.1 s)"),
                            new Flag("-r", "RUNS", "how many runs (7)")));

    @Override
    public String name() {
        return "timeit";
    }

    @Override
    public Form form() {
        return Form.LINE_AND_CELL;
    }

    @Override
    public String group() {
        return "Java";
    }

    @Override
    public String help() {
        return """
        Measures what Java costs once it is warm, by running it many times.

          %timeit Math.sqrt(x)
          %timeit -n 1000 -r 5 list.contains("a")
          %%timeit var list = new ArrayList<Integer>();
          list.add(1);

        What stands behind %%timeit is done once before each run and not measured; what it declares,
        the body can use. The code is compiled as the body of one loop and warmed for up to a
        second. The best run is what the code costs; the mean tells what else the machine did. The
        value of an expression is consumed; a statement whose effect nobody sees may be compiled
        away, and code of constants is computed beforehand: use variables of the session. The loop
        itself costs about half a nanosecond a turn.

        """
                + GRAMMAR.usage();
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var leading = GRAMMAR.leading(call.arguments());
        var given = leading.given();
        var turns = given.count("-n", 1, 1_000_000_000);
        var runs = given.count("-r", 1, MOST_RUNS).orElse(7);
        var whole = !call.body().isBlank();
        var setup = whole ? leading.rest() : "";
        var code = (whole ? call.body() : leading.rest()).strip();
        if (code.isEmpty()) {
            throw new MagicException("%timeit needs code, as in %timeit list.size()");
        }
        if (!setup.isEmpty()) {
            // Only to tell what is wrong with it at its own place.
            var unused =
                    cell.evaluate("(" + LOOP + ") turns$ -> { ", closed(setup), "\nreturn 0; }");
        }
        var loop = loop(setup.isEmpty() ? "" : closed(setup), code, cell);
        cell.out().println(new Turns(turns, runs).measured(loop));
        return null;
    }

    private static String closed(String setup) {
        return setup.endsWith(";") || setup.endsWith("}") ? setup : setup + ";";
    }

    /// The code is an expression whose value is consumed, or statements.
    private static TimedLoop loop(String setup, String code, Cell cell) throws Exception {
        var head =
                "(%s) turns$ -> { %s\nlong began$ = System.nanoTime(); for (long turn$ = 0; turn$ < turns$; turn$++) { "
                        .formatted(LOOP, setup);
        var tail = "\n} return System.nanoTime() - began$; }";
        var expression = code.replaceFirst(";+\\s*$", "");
        try {
            return (TimedLoop)
                    made(cell.evaluate(head + LOOP + ".keep(", expression, "\n);" + tail));
        } catch (MagicException asExpression) {
            try {
                return (TimedLoop)
                        made(cell.evaluate(head, code, (code.endsWith(";") ? "" : "\n;") + tail));
            } catch (MagicException asStatements) {
                throw String.valueOf(asStatements.getMessage()).contains("not a statement")
                        ? asExpression
                        : asStatements;
            }
        }
    }

    private static Object made(@Nullable Object loop) {
        return java.util.Objects.requireNonNull(loop, "the loop was not made");
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        var before = arguments.substring(0, Math.min(cursor, arguments.length()));
        var word = before.substring(before.lastIndexOf(' ') + 1);
        return word.startsWith("-")
                ? GRAMMAR.complete(arguments, cursor)
                : workspace.complete(before);
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return GRAMMAR.complete(arguments, cursor);
    }
}
