package org.meshbook.magics.render;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.meshbook.elastic.Tabular;
import org.meshbook.elastic.array.shard.ShardPicture;
import org.meshbook.elastic.chaos.ChaosReport;
import org.meshbook.elastic.manager.Goodput;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// All renderers of this room.
public final class Renderers {
    private Renderers() {}

    /// @return the renderers, most special first
    public static List<Renderer> all() {
        return List.of(
                of(Table.class, Table::display),
                of(Chart.class, Chart::display),
                of(Recovery.class, RecoveryReport::of),
                of(Goodput.class, RecoveryReport::of),
                of(Tabular.class, Renderers::table),
                of(ChaosReport.class, ChaosTable::of),
                of(Mesh.class, MeshPicture::of),
                of(Sharding.class, MeshPicture::of),
                of(ShardPicture.class, ShardDrawing::of));
    }

    private static DisplayData table(Tabular tabular) {
        var text = DisplayData.text(tabular.toString());
        var rows = tabular.rows();
        return rows.size() < 2
                ? text
                : text.and(
                        "text/html",
                        new Table(rows.getFirst(), rows.subList(1, rows.size())).html());
    }

    private static <T> Renderer of(Class<T> type, Function<T, DisplayData> show) {
        return value ->
                type.isInstance(value)
                        ? Optional.of(show.apply(type.cast(value)))
                        : Optional.empty();
    }
}
