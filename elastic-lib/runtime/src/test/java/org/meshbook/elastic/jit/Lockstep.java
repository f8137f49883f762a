package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.shard.Shards;
import org.meshbook.elastic.collective.LocalDevices;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// An executor in one thread: all devices take each operation together.
public final class Lockstep implements Executor {

    int placed;
    final List<Program> programs = new ArrayList<>();

    /// An array with one shard a device.
    record Shardings(Executor executor, ArrayType type, Sharding sharding, List<HostArray> shards)
            implements Placed {
        @Override
        public HostArray toHost() {
            return join(type, sharding, shards);
        }

        @Override
        public int precedence() {
            return 1;
        }

        @Override
        public Array apply(Op op, List<Array> operands) {
            return Eager.apply(op, operands);
        }
    }

    @Override
    public Placed place(HostArray value, Sharding sharding) {
        placed++;
        var shard = Shards.type(value.type(), sharding);
        var shards =
                IntStream.range(0, sharding.mesh().devices().size())
                        .mapToObj(place -> cut(value, shard, sharding, place))
                        .toList();
        return new Shardings(this, value.type(), sharding, shards);
    }

    @Override
    public Placed reshard(Placed array, Sharding target) {
        return place(array.toHost(), target);
    }

    @Override
    public List<Placed> run(Program program, List<Placed> inputs) {

        programs.add(program);
        var perDevice = new ArrayList<List<HostArray>>();
        for (var input : inputs) {
            perDevice.add(((Shardings) input).shards());
        }
        var results = run(program.graph(), program.mesh(), perDevice);
        var outputs = new ArrayList<Placed>();
        for (int i = 0; i < results.size(); i++) {
            var sharding = program.outputs().get(i);
            var whole = whole(results.get(i).getFirst().type(), sharding);
            outputs.add(new Shardings(this, whole, sharding, results.get(i)));
        }
        return outputs;
    }

    /// Runs a per-device graph.
    ///
    /// @param inputs for each parameter one shard a device
    /// @return for each result one shard a device
    static List<List<HostArray>> run(Graph graph, Mesh mesh, List<List<HostArray>> inputs) {
        return LocalDevices.run(graph, mesh, inputs);
    }

    private static HostArray cut(HostArray value, ArrayType shard, Sharding sharding, int place) {
        Array x = value;
        for (int dim = 0; dim < shard.shape().rank(); dim++) {
            int size = shard.shape().dim(dim);
            int start = sharding.piece(place, dim) * size;
            x = x.slice(dim, start, start + size);
        }
        return (HostArray) x;
    }

    static ArrayType whole(ArrayType shard, Sharding sharding) {
        var dims = shard.shape().toArray();
        for (int i = 0; i < dims.length; i++) {
            dims[i] *= sharding.pieces(i);
        }
        return ArrayType.of(shard.dtype(), dims);
    }

    /// Puts shards together and checks that devices that hold the same piece hold the same numbers.
    public static HostArray join(ArrayType type, Sharding sharding, List<HostArray> shards) {
        var pieces = new HashMap<List<Integer>, HostArray>();
        Array whole =
                Array.zeros(
                        type.dtype() == DType.BOOL ? DType.I32 : type.dtype(),
                        type.shape().toArray());
        for (int place = 0; place < shards.size(); place++) {
            var at = new ArrayList<Integer>();
            var low = new ArrayList<Integer>();
            var high = new ArrayList<Integer>();
            var shard = shards.get(place);
            for (int dim = 0; dim < type.shape().rank(); dim++) {
                int size = shard.type().shape().dim(dim);
                at.add(sharding.piece(place, dim));
                low.add(at.getLast() * size);
                high.add(type.shape().dim(dim) - low.getLast() - size);
            }
            var before = pieces.putIfAbsent(at, shard);
            if (before == null) {
                whole = whole.add(shard.cast(whole.dtype()).pad(low, high, 0));
            } else if (!before.equals(shard)) {
                throw new IllegalStateException("copies of piece " + at + " differ");
            }
        }
        return (HostArray) whole.cast(type.dtype());
    }
}
