package org.meshbook.magics.render;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.kernel.spi.DisplayData;

/// A mesh as the grid of its devices; touches none of them.
final class MeshPicture {
    private static final int MOST_DEVICES = 256;

    private MeshPicture() {}

    /// One row for each place of the first axis, one column for each place of the others.
    static DisplayData of(Mesh mesh) {
        if (mesh.devices().size() > MOST_DEVICES) {
            return DisplayData.text(mesh + ", " + mesh.devices().size() + " devices");
        }
        var first = mesh.axes().getFirst();
        int across = mesh.devices().size() / first.size();
        var columns = new ArrayList<String>();
        columns.add(first.name());
        for (int column = 0; column < across; column++) {
            columns.add(heading(mesh, column));
        }
        var rows = new ArrayList<List<String>>();
        for (int row = 0; row < first.size(); row++) {
            var cells = new ArrayList<String>();
            cells.add(String.valueOf(row));
            for (int column = 0; column < across; column++) {
                cells.add(mesh.devices().get(row * across + column).toString());
            }
            rows.add(cells);
        }
        return titled(mesh.toString(), new Table(columns, rows));
    }

    /// Which axes cut which dimension.
    static DisplayData of(Sharding sharding) {
        if (sharding.isReplicated()) {
            return DisplayData.text("whole on every device of " + sharding.mesh());
        }
        var table = Table.of("dimension", "axes", "pieces");
        for (int dim = 0; dim < sharding.dims().size(); dim++) {
            var axes = sharding.axes(dim);
            table =
                    table.row(
                            dim,
                            axes.isEmpty() ? "whole" : String.join(" + ", axes),
                            sharding.pieces(dim));
        }
        return titled(sharding.toString(), table);
    }

    private static String heading(Mesh mesh, int column) {
        var words = new ArrayList<String>();
        for (Axis axis : mesh.axes().subList(1, mesh.axes().size())) {
            words.add(axis.name() + " " + mesh.coordinate(column, axis.name()));
        }
        return words.isEmpty() ? "device" : String.join(", ", words);
    }

    private static DisplayData titled(String title, Table table) {
        return DisplayData.text(title + "\n" + table.text())
                .and("text/html", "<div><b>" + Html.escape(title) + "</b></div>" + table.html());
    }
}
