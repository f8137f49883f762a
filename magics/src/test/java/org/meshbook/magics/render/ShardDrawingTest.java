package org.meshbook.magics.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.shard.ShardPicture;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;

class ShardDrawingTest {
    private static final Mesh MESH =
            Mesh.of(
                    List.of(
                            new Device(0, 0, 0, 0),
                            new Device(1, 0, 0, 1),
                            new Device(2, 1, 0, 0),
                            new Device(3, 1, 0, 1)),
                    new Axis("replica", 2),
                    new Axis("model", 2));

    private static String html(Set<Integer> lost, String... dims) {
        var type = ArrayType.of(DType.F32, 8, 4);
        var picture = new ShardPicture(type, MESH.sharding(dims), lost);
        return String.valueOf(ShardDrawing.of(picture).bundle().get("text/html"));
    }

    @Test
    void eachPartIsABoxInTheColourOfItsSlice() {
        var html = html(Set.of(), "replica", "model");
        assertThat(html.split("<td ")).hasSize(5);
        assertThat(html.split("<tr>")).hasSize(3);
        assertThat(html).contains("[4:8, 0:2]<br>slice 1: 2");
        assertThat(html.split("hsl\\(200")).as("slice 0 holds two parts").hasSize(3);
    }

    @Test
    void whatNobodyHoldsIsHatched() {
        var cut = html(Set.of(1), "replica");
        assertThat(cut.split("repeating-linear-gradient")).hasSize(2);
        assertThat(cut).contains("slice 1: 2 3, lost");
        // Each part of this one lies on slice 0 as well.
        assertThat(html(Set.of(1), "", "model")).doesNotContain("repeating-linear-gradient");
    }
}
