package org.meshbook.elastic.engine.onnx;

import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;

/// Operations that yield the same bits on unsigned integers as on signed ones of their width.
final class Signless {
    private Signless() {}

    /// @param operands of U32 or U64, some of them
    static boolean is(Op op, List<ArrayType> operands) {
        return switch (op) {
            case Op.Constant _,
                    Op.Iota _,
                    Op.Select _,
                    Op.BroadcastInDim _,
                    Op.Reshape _,
                    Op.Transpose _,
                    Op.DotGeneral _,
                    Op.Convolution _,
                    Op.Slice _,
                    Op.Pad _,
                    Op.Concatenate _,
                    Op.Reverse _,
                    Op.StopGradient _ ->
                    true;
            case Op.Unary(var kind) -> kind == Op.UnaryKind.NEGATE || kind == Op.UnaryKind.NOT;
            case Op.Binary(var kind) ->
                    switch (kind) {
                        case ADD,
                                SUBTRACT,
                                MULTIPLY,
                                AND,
                                OR,
                                XOR,
                                SHIFT_LEFT,
                                SHIFT_RIGHT_ARITHMETIC,
                                SHIFT_RIGHT_LOGICAL ->
                                true;
                        case DIVIDE, MAXIMUM, MINIMUM, POWER, REMAINDER, ATAN2 -> false;
                    };
            case Op.Compare(var kind) -> kind == Op.CompareKind.EQ || kind == Op.CompareKind.NE;
            case Op.Convert(var dtype) -> {
                var from = operands.getFirst().dtype();
                boolean longer = from == DType.U32 && dtype.bits() > Integer.SIZE;
                yield !dtype.isFloat() && !from.isFloat() && !longer;
            }
            case Op.Reduce(var kind, _) ->
                    kind == Op.ReduceKind.SUM || kind == Op.ReduceKind.PRODUCT;
            case Op.Take _, Op.ScatterAdd _ -> !operands.get(1).dtype().isUnsigned();
            default -> false;
        };
    }
}
