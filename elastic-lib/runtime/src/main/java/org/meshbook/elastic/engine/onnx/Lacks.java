package org.meshbook.elastic.engine.onnx;

import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;

/// What ONNX Runtime has no kernels for, and what is not composed of those it has: it runs on the
/// reference kernels, by [Patched][org.meshbook.elastic.engine.Patched]. This is the whole list.
final class Lacks {
    private Lacks() {}

    static boolean of(Op op, List<ArrayType> operands, ArrayType result) {
        boolean wide =
                result.dtype() == DType.U64
                        || operands.stream().anyMatch(type -> type.dtype() == DType.U64);
        return wide ? !signIsNoMatter(op, operands) : kernel(op, operands);
    }

    private static boolean kernel(Op op, List<ArrayType> operands) {
        return switch (op) {
            case Op.Unary(var kind) -> kind == Op.UnaryKind.ERF && is(operands, DType.F64);
            case Op.Binary(var kind) -> kind == Op.BinaryKind.ATAN2 && is(operands, DType.F64);
            // By way of F32 it would be rounded twice.
            case Op.Convert(var dtype) -> dtype == DType.F16 && is(operands, DType.F64);
            default -> false;
        };
    }

    /// Whether an operation on 64 unsigned bits yields the same bits on signed ones.
    private static boolean signIsNoMatter(Op op, List<ArrayType> operands) {
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
            case Op.Convert(var dtype) ->
                    !dtype.isFloat() && !operands.getFirst().dtype().isFloat();
            case Op.Reduce(var kind, _) ->
                    kind == Op.ReduceKind.SUM || kind == Op.ReduceKind.PRODUCT;
            case Op.Take _, Op.ScatterAdd _ -> operands.get(1).dtype() != DType.U64;
            default -> false;
        };
    }

    private static boolean is(List<ArrayType> operands, DType dtype) {
        return operands.getFirst().dtype() == dtype;
    }
}
