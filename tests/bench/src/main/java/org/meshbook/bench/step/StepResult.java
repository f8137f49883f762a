package org.meshbook.bench.step;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.meshbook.magics.render.Table;
import tools.jackson.databind.json.JsonMapper;

/// What `bench step` measured.
///
/// @param engine of the workers
/// @param peer JAX's version; empty if none was found
/// @param load average of the machine at the start
/// @param rows in the order of the table
record StepResult(String engine, Optional<String> peer, double load, List<Row> rows) {
    StepResult {
        rows = List.copyOf(rows);
    }

    Table table() {
        var table = Table.of("", "what", engine, peer.orElse("no JAX"), "ratio", "goal", "holds");
        for (var row : rows) {
            table =
                    table.row(
                            row.id(),
                            row.what(),
                            number(row.middle()),
                            row.peer().map(StepResult::number).orElse(""),
                            row.ratio().map(StepResult::number).orElse(""),
                            row.goal().text(),
                            row.holds().map(holds -> holds ? "yes" : "no").orElse(""));
        }
        return table;
    }

    String json() {
        var mapper = JsonMapper.shared();
        var all = mapper.createObjectNode();
        all.put("engine", engine).put("load", load);
        peer.ifPresent(name -> all.put("peer", name));
        var list = all.putArray("results");
        for (var row : rows) {
            var one = list.addObject();
            one.put("id", row.id()).put("what", row.what()).put("ours", round(row.middle()));
            row.peer().ifPresent(peers -> one.put("peer", round(peers)));
            row.ratio().ifPresent(ratio -> one.put("ratio", round(ratio)));
            one.put("goal", row.goal().text());
            row.holds().ifPresent(holds -> one.put("holds", holds));
        }
        return mapper.writeValueAsString(all);
    }

    private static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
    }
}
