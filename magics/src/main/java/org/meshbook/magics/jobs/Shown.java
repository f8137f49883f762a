package org.meshbook.magics.jobs;

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
record Shown(ClusterDoor.Open open) {
    DisplayData table(ResourceKind kind, List<Resource> objects, boolean wide, boolean namespaces) {
        var look = new Tables.Look(open.profile(), wide, namespaces, Instant.now());
        var printed = Tables.of(kind, objects, look);
        var html = new Table(printed.heads(), printed.rows()).html();
        return DisplayData.text(printed.text().stripTrailing()).and("text/html", html);
    }
}
