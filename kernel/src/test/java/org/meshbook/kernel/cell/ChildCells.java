package org.meshbook.kernel.cell;

/// Runs each argument as a cell, in a process of its own, and prints a line for each.
final class ChildCells {
    private ChildCells() {}

    public static void main(String[] code) {
        var out = System.out;
        var lines = new StringBuilder();
        try (var cells = new Cells()) {
            for (var each : code) {
                var ran = cells.run(each);
                lines.append((ran.result() + ran.output().err()).replace("\n", " ").strip())
                        .append('\n');
            }
        }
        out.print(lines);
        out.flush();
        System.exit(0);
    }
}
