package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// A piece of a computed value, computed from pieces: repeated values are repeated less, work on
/// elements is done for this device's piece only, and what merely moves elements lets the cut
/// through, so that it meets the sum over devices behind it.
///
/// @param local the graph that is built
/// @param dim the dimension that is cut
/// @param axis over which
/// @param cuts of the result
record Narrowing(LocalGraph local, int dim, String axis, List<List<String>> cuts) {
    /// @param op made the value
    /// @param in its operands
    /// @param x the value
    /// @return the piece; empty if it can only be cut out
    Optional<Piece> of(Op op, Piece[] in, Piece x) {
        int pieces = local.mesh().size(axis);
        if (x.size(dim) % pieces != 0) {
            return Optional.empty();
        }
        var dims = new ArrayList<>(x.type().shape().dims());
        dims.set(dim, x.size(dim) / pieces);
        var shape = new Shape(dims);
        return switch (op) {
            case Op.BroadcastInDim(_, var mapped) -> {
                int from = mapped.indexOf(dim);
                boolean whole = from >= 0 && in[0].size(from) == x.size(dim);
                var part = whole ? local.cut(in[0], from, axis) : in[0];
                yield made(new Op.BroadcastInDim(shape, mapped), part);
            }
            case Op.Iota(var type, int along) when along != dim ->
                    made(new Op.Iota(new ArrayType(type.dtype(), shape), along));
            case Op.Unary _, Op.Binary _, Op.Compare _, Op.Select _, Op.Convert _ ->
                    made(op, all(in));
            case Op.Concatenate(int along) when along != dim -> made(op, all(in));
            case Op.Transpose(var permutation) ->
                    made(op, local.cut(in[0], permutation.get(dim), axis));
            case Op.Pad pad when keeps(pad) -> made(pad, local.cut(in[0], dim, axis), in[1]);
            case Op.Reshape _ ->
                    source(in[0].type().shape(), x.type().shape())
                            .flatMap(
                                    from ->
                                            made(
                                                    new Op.Reshape(shape),
                                                    local.cut(in[0], from, axis)));
            default -> Optional.empty();
        };
    }

    private Optional<Piece> made(Op op, Piece... operands) {
        return Optional.of(local.add(op, cuts, operands));
    }

    private Piece[] all(Piece[] in) {
        return Stream.of(in).map(operand -> local.cut(operand, dim, axis)).toArray(Piece[]::new);
    }

    private boolean keeps(Op.Pad pad) {
        return pad.low().get(dim) == 0 && pad.high().get(dim) == 0 && pad.interior().get(dim) == 0;
    }

    /// The dimension that a reshape leaves as it is: of the same size, with as much before it.
    private Optional<Integer> source(Shape from, Shape to) {
        long before = before(to, dim);
        for (int i = 0; i < from.rank(); i++) {
            if (from.dim(i) == to.dim(dim) && before(from, i) == before) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private static long before(Shape shape, int dim) {
        return shape.dims().subList(0, dim).stream()
                .mapToLong(Integer::longValue)
                .reduce(1, Math::multiplyExact);
    }
}
