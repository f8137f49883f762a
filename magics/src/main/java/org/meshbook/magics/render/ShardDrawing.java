package org.meshbook.magics.render;

import java.util.stream.Collectors;
import org.meshbook.elastic.array.shard.ShardPicture;
import org.meshbook.elastic.array.shard.ShardPicture.Cell;
import org.meshbook.kernel.spi.DisplayData;

/// The parts of an array as boxes, coloured by the slices that hold them; what is lost is hatched.
final class ShardDrawing {
    private static final int WIDE = 640;
    private static final int TALL = 220;
    private static final int LEAST = 44;

    private ShardDrawing() {}

    static DisplayData of(ShardPicture picture) {
        var rows =
                picture.rows().stream()
                        .map(
                                row ->
                                        row.stream()
                                                .map(cell -> box(picture, cell))
                                                .collect(Collectors.joining("", "<tr>", "</tr>")))
                        .collect(Collectors.joining());
        var html =
                """
                <div><b>%s</b></div><table style="border-collapse:separate;border-spacing:3px;width:%dpx">%s</table>"""
                        .formatted(Html.escape(picture.title()), WIDE, rows);
        return DisplayData.text(picture.toString()).and("text/html", html);
    }

    private static String box(ShardPicture picture, Cell cell) {
        int height = Math.max(LEAST, TALL / picture.rows().size());
        var words =
                picture.words(cell).stream().map(Html::escape).collect(Collectors.joining("<br>"));
        return """
               <td style="height:%dpx;text-align:center;border-radius:4px;color:#111;%s">%s</td>"""
                .formatted(height, background(picture, cell), words);
    }

    /// Slices in the order of their numbers go round the colour wheel by the golden angle, so that
    /// neighbours differ.
    private static String background(ShardPicture picture, Cell cell) {
        if (picture.isLost(cell)) {
            return "background:repeating-linear-gradient(45deg,#ddd,#ddd 6px,#bbb 6px,#bbb 12px)";
        }
        var slices = cell.bySlice().keySet();
        if (slices.size() > 1) {
            var stops =
                    slices.stream()
                            .limit(8)
                            .map(ShardDrawing::colour)
                            .collect(Collectors.joining(","));
            return "background:linear-gradient(90deg," + stops + ")";
        }
        return "background:" + slices.stream().findFirst().map(ShardDrawing::colour).orElse("#eee");
    }

    private static String colour(int slice) {
        return "hsl(%d,65%%,78%%)".formatted(Math.floorMod(200 + slice * 137, 360));
    }
}
