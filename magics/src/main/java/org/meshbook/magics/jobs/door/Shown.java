package org.meshbook.magics.jobs.door;

import java.time.Instant;
import java.util.List;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.print.Tables;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.magics.render.Table;

/// What objects look like in a cell: kubectl's columns, as text and as a table.
///
/// @param open where they come from
public record Shown(ClusterDoor.Open open) {
    /// @param kind kind
    /// @param objects objects of it, in the order of the rows
    /// @param wide whether to show more columns
    /// @param namespaces whether to show the namespace, too
    /// @return the table
    public DisplayData table(
            ResourceKind kind, List<Resource> objects, boolean wide, boolean namespaces) {
        var look = new Tables.Look(open.profile(), wide, namespaces, Instant.now());
        var printed = Tables.of(kind, objects, look);
        var html = new Table(printed.heads(), printed.rows()).html();
        return DisplayData.text(printed.text().stripTrailing()).and("text/html", html);
    }
}
