package org.meshbook.elastic.sim;

import static org.meshbook.elastic.UsageError.require;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;

/// Shards of virtual arrays under a new name: the value is put together from the parts that the
/// target's devices hold.
final class SimAlias {
    private SimAlias() {}

    static SimArray of(
            Simulation simulation, ArrayType type, Sharding target, List<SimArray> sources) {
        var holders = new HashMap<Device, SimArray>();
        for (var source : sources) {
            for (var device : source.sharding.mesh().devices()) {
                if (target.mesh().devices().contains(device)) {
                    require(
                            holders.put(device, source) == null,
                            "%s holds shards of two of the arrays; join arrays of disjoint meshes",
                            device);
                }
            }
        }
        var value = HostArray.zeros(type);
        long born = Long.MAX_VALUE;
        var ready = simulation.clock().elapsed();
        for (int place = 0; place < target.mesh().devices().size(); place++) {
            var device = target.mesh().devices().get(place);
            var source = holders.get(device);
            if (source == null) {
                throw new UsageError(
                        "%s holds no shard of the arrays, so %s on %s cannot be made of them",
                        device, type, target.mesh());
            }
            copy(source, device, value, target, place);
            born = Math.min(born, source.born);
            ready = source.readyAt.compareTo(ready) > 0 ? source.readyAt : ready;
        }
        return simulation.enter(new SimArray(simulation, value, target, ready, List.of(), born));
    }

    private static void copy(
            SimArray source, Device device, HostArray value, Sharding target, int place) {
        int from = source.sharding.mesh().devices().indexOf(device);
        var size = shard(source.value.type(), source.sharding);
        require(
                size.equals(shard(value.type(), target)),
                "%s holds shards of %s, %s needs %s there; use sizes that divide alike",
                device,
                size,
                value.type(),
                shard(value.type(), target));
        var index = new int[size.size()];
        int bytes = value.type().dtype().bytes();
        do {
            int at = offset(source.value.type(), source.sharding, from, size, index);
            int to = offset(value.type(), target, place, size, index);
            ByteBuffer into = value.bytes();
            into.put(to * bytes, source.value.bytes(), at * bytes, bytes);
        } while (next(index, size));
    }

    private static List<Integer> shard(ArrayType type, Sharding sharding) {
        var dims = new ArrayList<Integer>();
        for (int dim = 0; dim < type.shape().rank(); dim++) {
            dims.add(type.shape().dim(dim) / sharding.pieces(dim));
        }
        return dims;
    }

    private static int offset(
            ArrayType type, Sharding sharding, int place, List<Integer> size, int[] index) {
        int offset = 0;
        for (int dim = 0; dim < index.length; dim++) {
            int at = sharding.piece(place, dim) * size.get(dim) + index[dim];
            offset = offset * type.shape().dim(dim) + at;
        }
        return offset;
    }

    private static boolean next(int[] index, List<Integer> size) {
        for (int dim = index.length - 1; dim >= 0; dim--) {
            if (++index[dim] < size.get(dim)) {
                return true;
            }
            index[dim] = 0;
        }
        return false;
    }
}
