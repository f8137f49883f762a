package org.meshbook.elastic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.GraphBuilder;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.PartitionSpec;

class ShardingOpsTest {
    @Test
    void whatIsEncodedIsDecoded() {
        var mesh = List.of(new Axis("r", 2), new Axis("m", 3));
        var b = new GraphBuilder("cuts");
        int x = b.parameter(ArrayType.of(DType.F32, 12, 6));
        int shard = b.add(new Op.FullToShard(mesh, PartitionSpec.spec("r+m", null)), List.of(x));
        int moved = b.add(new Op.AllToAll("m", 1, 0, 3), List.of(shard));
        int sent = b.add(new Op.CollectivePermute("r", List.of(0), List.of(1)), List.of(moved));
        int none = b.add(new Op.CollectivePermute("r", List.of(), List.of()), List.of(sent));
        int whole = b.add(new Op.ShardToFull(mesh, PartitionSpec.spec(null, "m")), List.of(none));
        int asked = b.add(new Op.ShardingConstraint(PartitionSpec.spec("r")), List.of(whole));
        int free = b.add(new Op.FullToShard(mesh, PartitionSpec.spec()), List.of(asked));
        var graph = b.build(List.of(free));
        assertThat(GraphCodec.fromProto(GraphCodec.toProto(graph))).isEqualTo(graph);
    }

    @Test
    void damageIsSaid() {
        var b = new GraphBuilder("cuts");
        int x = b.parameter(ArrayType.of(DType.F32, 12));
        var graph = b.build(List.of(b.add(new Op.AllToAll("m", 0, 0, 3), List.of(x))));
        var damaged = GraphCodec.toProto(graph).toBuilder();
        damaged.getNodesBuilder(0).getOpBuilder().clearInts();
        assertThatThrownBy(() -> GraphCodec.fromProto(damaged.build()))
                .isInstanceOf(UsageError.class)
                .hasMessage("operation 'AllToAll' lacks an attribute; the message is damaged");
    }
}
