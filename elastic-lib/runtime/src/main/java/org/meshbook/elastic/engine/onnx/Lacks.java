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
        return wide ? !Signless.is(op, operands) : kernel(op, operands);
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

    private static boolean is(List<ArrayType> operands, DType dtype) {
        return operands.getFirst().dtype() == dtype;
    }
}
