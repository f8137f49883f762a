package org.meshbook.magics.render;

import java.util.stream.Collectors;
import org.meshbook.elastic.chaos.ChaosReport;
import org.meshbook.kernel.spi.DisplayData;

/// What was done to slices, and what the program saw of it.
final class ChaosTable {
    private ChaosTable() {}

    static DisplayData of(ChaosReport report) {
        if (report.faults().isEmpty()) {
            return DisplayData.text(report.toString());
        }
        var table = Table.of("when", "after step", "fault", "slice", "the program saw", "recovery");
        for (var fault : report.faults()) {
            table =
                    table.row(
                            fault.time(),
                            fault.step() < 0 ? "-" : fault.step(),
                            fault.kind().word(),
                            fault.slice(),
                            fault.saw(),
                            fault.recovery() == 0
                                    ? "-"
                                    : "%d in %s"
                                            .formatted(
                                                    fault.recovery(),
                                                    Amounts.time(fault.took().toNanos())));
        }
        var armed =
                report.armed().stream()
                        .map(line -> "armed: " + line)
                        .collect(Collectors.joining("\n"));
        return armed.isEmpty()
                ? table.display()
                : DisplayData.text(table.text() + "\n" + armed)
                        .and(
                                "text/html",
                                table.html()
                                        + "<div>"
                                        + Html.escape(armed).replace("\n", "<br>")
                                        + "</div>");
    }
}
