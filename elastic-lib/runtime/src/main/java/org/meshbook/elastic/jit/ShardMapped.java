package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.collective.BoundAxes;
import org.meshbook.elastic.collective.Varying;
import org.meshbook.elastic.jit.trace.Trace;
import org.meshbook.elastic.jit.trace.Traced;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.PartitionSpec;

/// A function for one device inside a function of whole arrays: its operations stand between
/// `FullToShard` and `ShardToFull`.
///
/// @param axes of the mesh
/// @param in one spec an argument, or one a leaf
/// @param out one spec, or one a leaf
/// @param body the function for one device
record ShardMapped(
        List<Axis> axes, List<PartitionSpec> in, List<PartitionSpec> out, Compiled.Body body) {
    ShardMapped {
        in = List.copyOf(in);
        out = List.copyOf(out);
    }

    /// Called while the function of whole arrays is traced.
    Object apply(List<?> arguments) {
        UsageError.require(
                BoundAxes.current().isEmpty(),
                "shardMap over %s stands inside of another; give the outer one all axes",
                axes);
        // 1. cut the arguments
        var flat = Tree.flatten(arguments);
        UsageError.require(
                !flat.leaves().isEmpty(), "shardMap over %s: no argument holds an array", axes);
        var specs = spread("argument", in, flat.structure());
        var shards = new ArrayList<Array>();
        for (int i = 0; i < specs.size(); i++) {
            shards.add(apply(new Op.FullToShard(axes, specs.get(i)), flat.leaves().get(i)));
        }
        // 2. trace the function for one device
        var device =
                Trace.of(
                        "shard_map",
                        shards.stream().map(Array::type).toList(),
                        shards.stream().map(Trace::varying).toList(),
                        leaves ->
                                new BoundAxes(axes, leaves.getFirst())
                                        .bind(
                                                () ->
                                                        body.apply(
                                                                flat.structure()
                                                                        .<List<?>>rebuild(
                                                                                leaves))));
        // 3. write it down; what it captures is whole on every device
        var inputs = new ArrayList<>(shards);
        var whole = new Op.FullToShard(axes, PartitionSpec.spec());
        device.captured().forEach(array -> inputs.add(apply(whole, lifted(shards, array))));
        var values = ((Traced) shards.getFirst()).trace().inline(device.graph(), inputs);
        // 4. put the results together
        return joined(device, values);
    }

    private Object joined(Trace.Result device, List<Array> values) {
        var specs = spread("result", out, device.structure());
        var paths = device.structure().paths();
        var results = new ArrayList<Array>();
        for (int i = 0; i < specs.size(); i++) {
            var result = values.get(device.graph().results().get(i));
            checkReplicated(paths.get(i), result, specs.get(i));
            results.add(apply(new Op.ShardToFull(axes, specs.get(i)), result));
        }
        return device.structure().rebuild(results);
    }

    private static void checkReplicated(String path, Array result, PartitionSpec spec) {
        Set<String> differs = Varying.without(Trace.varying(result), spec.axes());
        UsageError.require(
                differs.isEmpty(),
                "shardMap: result '%s', %s on each device, differs along %s, which its spec %s does"
                        + " not name; psum or pmean it, or cut a dimension over it",
                path,
                result.type(),
                differs,
                spec);
    }

    /// One spec a leaf.
    private static List<PartitionSpec> spread(
            String what, List<PartitionSpec> specs, Structure structure) {
        int leaves = structure.leafCount();
        if (specs.size() == leaves) {
            return specs;
        }
        var each = new ArrayList<PartitionSpec>();
        boolean arguments = what.equals("argument");
        var children = arguments ? ((Structure.Items) structure).children() : List.of(structure);
        if (specs.size() != children.size()) {
            throw new MeshMismatch(
                    "shardMap: %d specs %s for %s of %d leaves %s; give one %s, or one a leaf",
                    specs.size(),
                    specs,
                    arguments ? children.size() + " arguments" : "a result",
                    leaves,
                    structure.paths(),
                    arguments ? "an argument" : "for all");
        }
        for (int i = 0; i < children.size(); i++) {
            for (int leaf = 0; leaf < children.get(i).leafCount(); leaf++) {
                each.add(specs.get(i));
            }
        }
        return each;
    }

    private static Array lifted(List<Array> shards, Array captured) {
        return ((Traced) shards.getFirst()).trace().lifted(captured);
    }

    private static Array apply(Op op, Array x) {
        op.infer(List.of(x.type()));
        return x.apply(op, List.of(x));
    }
}
