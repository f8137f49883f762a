package org.meshbook.bench.kernel;

import java.util.List;
import java.util.Locale;
import org.meshbook.magics.render.Table;
import tools.jackson.databind.json.JsonMapper;

/// What a bench of kernels measured.
///
/// @param kernels names; ours first
/// @param rows in the order of the table
/// @param load average of the machine in the last minute
record KernelResult(List<String> kernels, List<Row> rows, double load) {
    private static final String COMPARED = "ipykernel";

    KernelResult {
        kernels = List.copyOf(kernels);
        rows = List.copyOf(rows);
    }

    private String ours() {
        return kernels.getFirst();
    }

    private String other() {
        return kernels.contains(COMPARED) || kernels.size() < 2 ? COMPARED : kernels.get(1);
    }

    private boolean holds(Row row) {
        return row.holds(ours(), other());
    }

    boolean holds() {
        return rows.stream().filter(row -> row.measured(ours())).allMatch(this::holds);
    }

    Table table() {
        var columns = new java.util.ArrayList<>(List.of("what"));
        columns.addAll(kernels);
        columns.addAll(List.of("ratio", "goal", "holds"));
        var table = Table.of(columns.toArray(String[]::new));
        for (var row : rows) {
            if (!row.measured(ours())) {
                continue;
            }
            var cells = new java.util.ArrayList<Object>(List.of(row.what()));
            kernels.forEach(kernel -> cells.add(number(row.middle(kernel))));
            cells.add(number(row.ratio(ours(), other())));
            cells.add(row.goal().text());
            cells.add(row.goal() == Row.Goal.NONE ? "" : holds(row) ? "yes" : "no");
            table = table.row(cells.toArray());
        }
        return table;
    }

    String json() {
        var mapper = JsonMapper.shared();
        var all = mapper.createObjectNode();
        all.put("load", load);
        var list = all.putArray("rows");
        for (var row : rows) {
            if (!row.measured(ours())) {
                continue;
            }
            var one = list.addObject();
            one.put("id", row.id()).put("goal", row.goal().text());
            for (var kernel : kernels) {
                if (row.measured(kernel)) {
                    one.put(kernel, round(row.middle(kernel)));
                }
            }
            var ratio = row.ratio(ours(), other());
            if (Double.isFinite(ratio)) {
                one.put("ratio", round(ratio));
            }
            if (row.goal() != Row.Goal.NONE) {
                one.put("holds", holds(row));
            }
        }
        return mapper.writeValueAsString(all);
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
    }
}
