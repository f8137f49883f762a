package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.array.shard.ShardPicture;
import org.meshbook.elastic.collective.BoundAxes;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.PartitionSpec;
import org.meshbook.elastic.mesh.Sharding;

/// One program over many devices: how its values are cut, and functions written for one of the
/// devices; made for `import static`.
///
/// ```java
/// var total = shardMap(mesh, List.of(spec("replica")), List.of(spec()), (Array x) ->
///         psum(x.sum(), "replica"));
/// ```
///
/// Source: JAX's `shard_map` and `with_sharding_constraint`,
/// https://docs.jax.dev/en/latest/notebooks/shard_map.html
public final class Spmd {
    private Spmd() {}

    /// Asks for a value to be cut so; the values are the same.
    ///
    /// In a traced function the arrays lie on the mesh of its arguments, and only the names of the
    /// axes count. Without a mesh nothing happens. The cotangent is cut in the same way.
    ///
    /// @param tree an array or a tree of arrays
    /// @param sharding how each of them is to be cut
    /// @param <T> type of the tree
    /// @return the tree
    /// @throws MeshMismatch if it names more dimensions than there are; when it is partitioned, if
    ///   a dimension does not divide
    /// @throws UsageError inside of `shardMap`, where each device has its piece already
    public static <T> T withSharding(T tree, Sharding sharding) {
        return withSharding(tree, sharding.spec());
    }

    /// Asks for a value to be cut so, whatever mesh it lies on.
    ///
    /// @param tree an array or a tree of arrays
    /// @param spec how each of them is to be cut
    /// @param <T> type of the tree
    /// @return the tree
    public static <T> T withSharding(T tree, PartitionSpec spec) {
        UsageError.require(
                BoundAxes.current().isEmpty(),
                "withSharding %s stands inside of shardMap, where each device has its piece; say so"
                        + " in the specs",
                spec);
        return Tree.map(tree, x -> constrained(x, spec));
    }

    static Array constrained(Array x, PartitionSpec spec) {
        var op = new Op.ShardingConstraint(spec);
        op.infer(List.of(x.type()));
        return x.apply(op, List.of(x));
    }

    /// A picture of which device holds which part of an array; touches no device.
    ///
    /// @param array a placed array
    /// @return the picture, which prints as text
    /// @throws UsageError if the array does not lie on a mesh
    public static ShardPicture visualize(Array array) {
        if (array instanceof Placed placed) {
            return new ShardPicture(placed.type(), placed.sharding(), placed.lostSlices());
        }
        throw new UsageError(
                "%s does not lie on a mesh; put it there first, as in put(x,"
                        + " mesh.sharding(\"replica\"))",
                array.type());
    }

    /// A function written for one device of a mesh, as a function of whole arrays.
    ///
    /// Each device gets its pieces of the arguments and speaks to the others by collectives; an
    /// array that the function captures is whole on every device. Arguments on a mesh of such axes
    /// are computed there, whatever devices it has; host arrays in this process, device after
    /// device.
    ///
    /// @param mesh its axes are the ones that collectives may name
    /// @param inSpecs how the arguments are cut: one spec an argument, or one a leaf of them
    /// @param outSpecs how the result is put together: one spec for all of it, or one a leaf
    /// @param f takes the pieces of one device, returns the pieces of one device
    /// @return the function of whole arrays
    /// @throws UsageError when called, if a result differs along an axis that its spec does not
    ///   name
    /// @throws MeshMismatch when called, if a dimension does not divide or specs do not fit
    /// @param <A> type of argument 1
    /// @param <R> type of the result
    public static <A, R> Jitted.Of1<A, R> shardMap(
            Mesh mesh, List<PartitionSpec> inSpecs, List<PartitionSpec> outSpecs, Fn1<A, R> f) {
        return new Jitted.Of1<>(mapped(mesh, inSpecs, outSpecs, Jit.body(f)));
    }

    /// See the form for 1 argument.
    ///
    /// @param mesh its axes are the ones that collectives may name
    /// @param inSpecs how the arguments are cut: one spec an argument, or one a leaf of them
    /// @param outSpecs how the result is put together: one spec for all of it, or one a leaf
    /// @param f takes the pieces of one device, returns the pieces of one device
    /// @return the function of whole arrays
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    public static <A, B, R> Jitted.Of2<A, B, R> shardMap(
            Mesh mesh, List<PartitionSpec> inSpecs, List<PartitionSpec> outSpecs, Fn2<A, B, R> f) {
        return new Jitted.Of2<>(mapped(mesh, inSpecs, outSpecs, Jit.body(f)));
    }

    /// See the form for 1 argument.
    ///
    /// @param mesh its axes are the ones that collectives may name
    /// @param inSpecs how the arguments are cut: one spec an argument, or one a leaf of them
    /// @param outSpecs how the result is put together: one spec for all of it, or one a leaf
    /// @param f takes the pieces of one device, returns the pieces of one device
    /// @return the function of whole arrays
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <R> type of the result
    public static <A, B, C, R> Jitted.Of3<A, B, C, R> shardMap(
            Mesh mesh,
            List<PartitionSpec> inSpecs,
            List<PartitionSpec> outSpecs,
            Fn3<A, B, C, R> f) {
        return new Jitted.Of3<>(mapped(mesh, inSpecs, outSpecs, Jit.body(f)));
    }

    private static Compiled mapped(
            Mesh mesh,
            List<PartitionSpec> inSpecs,
            List<PartitionSpec> outSpecs,
            Compiled.Body body) {
        var region = new ShardMapped(mesh.axes(), inSpecs, outSpecs, body);
        return Compiled.plain(region::apply);
    }
}
