package org.meshbook.magics.daily.timing;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace;

/// `%time` and `%%time`: one run, as it is.
record TimeMagic() implements Magic {
    @Override
    public String name() {
        return "time";
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
        Runs Java once and says how long it took.

        %time CODE      the rest of the line
        %%time          the whole cell, magics included

          %time IntStream.range(0, 1_000_000).sum()
          %time var sorted = list.stream().sorted().toList();

        Said are the wall time of the run, the CPU time and the allocation of the cell's thread (not
        those of threads that it starts), and apart from them what compiling took. The first run of
        code is slow, because it is interpreted: %timeit measures what it costs once warm.
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var body = !call.body().isBlank();
        if (body && !call.arguments().isEmpty()) {
            throw new MagicException(
                    "%%%%time takes nothing in its line, found '%s'; put it into the next line"
                            .formatted(call.arguments()));
        }
        var code = body ? call.body() : call.arguments();
        if (code.isBlank()) {
            throw new MagicException("%time needs code, as in %time list.size()");
        }
        var meter = new Meter();
        var began = System.nanoTime();
        try {
            return cell.around(meter, () -> cell.run(code));
        } finally {
            cell.out().println(meter.text(System.nanoTime() - began));
        }
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        return workspace.complete(arguments.substring(0, Math.min(cursor, arguments.length())));
    }
}
