package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.PartitionSpec;

/// Types of what goes between devices, and between the whole and its pieces.
final class ShardingTypes {
    private final Operands operands;

    ShardingTypes(Operands operands) {
        this.operands = operands;
    }

    ArrayType of(Op op) {
        return switch (op) {
            case Op.AllToAll all -> allToAll(all);
            case Op.CollectivePermute permute -> permute(permute);
            case Op.ShardingConstraint(var spec) -> ranked(spec);
            case Op.FullToShard(var mesh, var spec) -> piece(mesh, spec);
            case Op.ShardToFull(var mesh, var spec) -> whole(mesh, spec);
            default -> throw new IllegalArgumentException(op + " has its rule elsewhere");
        };
    }

    private ArrayType allToAll(Op.AllToAll all) {
        var x = operands.one();
        operands.inRange(all.splitDim(), x);
        operands.inRange(all.concatDim(), x);
        int size = x.shape().dim(all.splitDim());
        operands.check(
                size % all.size() == 0,
                "dimension %d of %s does not divide over axis '%s' of %d; use a multiple of %d",
                all.splitDim(),
                x,
                all.axis(),
                all.size(),
                all.size());
        var dims = new ArrayList<>(x.shape().dims());
        dims.set(all.splitDim(), size / all.size());
        dims.set(all.concatDim(), Math.multiplyExact(dims.get(all.concatDim()), all.size()));
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType permute(Op.CollectivePermute permute) {
        operands.check(
                permute.sources().size() == permute.targets().size()
                        && Operands.distinct(permute.sources())
                        && Operands.distinct(permute.targets()),
                "%s to %s over axis '%s' is no permutation; a device sends once and gets once",
                permute.sources(),
                permute.targets(),
                permute.axis());
        return operands.one();
    }

    private ArrayType ranked(PartitionSpec spec) {
        var x = operands.one();
        operands.check(
                spec.dims().size() <= x.shape().rank(),
                "%s has %d dimensions, %s cuts dimension %d; name fewer",
                x,
                x.shape().rank(),
                spec,
                spec.dims().size() - 1);
        return x;
    }

    private ArrayType piece(List<Axis> mesh, PartitionSpec spec) {
        var x = ranked(spec);
        var dims = new ArrayList<Integer>();
        for (int dim = 0; dim < x.shape().rank(); dim++) {
            int pieces = pieces(mesh, spec.axes(dim));
            operands.check(
                    x.shape().dim(dim) % pieces == 0,
                    "dimension %d of %s does not divide over axis '%s' of %d; use a multiple of %d",
                    dim,
                    x,
                    String.join("+", spec.axes(dim)),
                    pieces,
                    pieces);
            dims.add(x.shape().dim(dim) / pieces);
        }
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType whole(List<Axis> mesh, PartitionSpec spec) {
        var x = ranked(spec);
        var dims = new ArrayList<Integer>();
        for (int dim = 0; dim < x.shape().rank(); dim++) {
            dims.add(Math.multiplyExact(x.shape().dim(dim), pieces(mesh, spec.axes(dim))));
        }
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private int pieces(List<Axis> mesh, List<String> axes) {
        int pieces = 1;
        for (var name : axes) {
            var axis = mesh.stream().filter(a -> a.name().equals(name)).findFirst();
            operands.check(
                    axis.isPresent(), "the mesh has no axis '%s'; its axes are %s", name, mesh);
            pieces = Math.multiplyExact(pieces, axis.orElseThrow().size());
        }
        return pieces;
    }
}
