package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// One operation and the types it is asked to work on: what can be said against them.
record Operands(Op op, List<ArrayType> operands) {
    ArrayType get(int i) {
        return operands.get(i);
    }

    ArrayType one() {
        arity(1);
        return operands.getFirst();
    }

    ArrayType two() {
        arity(2);
        return operands.getFirst();
    }

    /// Two operands of one type.
    ArrayType equal() {
        var x = two();
        var y = operands.get(1);
        sameDtype(x, y);
        check(x.equals(y), "%s and %s do not fit; shapes must be equal or broadcast", x, y);
        return x;
    }

    void sameDtype(ArrayType x, ArrayType y) {
        castable(
                x.dtype() == y.dtype(),
                "%s and %s differ in dtype; cast one of them, as in y.cast(DType.%s)",
                x,
                y,
                x.dtype().name());
    }

    void arity(int wanted) {
        check(operands.size() == wanted, "takes %d operands, got %s", wanted, operands);
    }

    void inRange(int dim, ArrayType x) {
        check(
                dim >= 0 && dim < x.shape().rank(),
                "dimension %d is not one of the %d of %s",
                dim,
                x.shape().rank(),
                x);
    }

    static boolean distinct(List<Integer> dims) {
        return dims.stream().distinct().count() == dims.size();
    }

    static List<Integer> without(Shape shape, List<Integer> dims) {
        var kept = new ArrayList<Integer>();
        for (int i = 0; i < shape.rank(); i++) {
            if (!dims.contains(i)) {
                kept.add(shape.dim(i));
            }
        }
        return Collections.unmodifiableList(kept);
    }

    void check(boolean holds, String format, Object... facts) {
        if (!holds) {
            throw new MeshMismatch(
                    "%s", word(op) + ": " + String.format(Locale.ROOT, format, facts));
        }
    }

    void defined(boolean holds, ArrayType x, DType wanted) {
        castable(holds, "is not defined for %s; cast it, as in x.cast(DType.%s)", x, wanted.name());
    }

    void castable(boolean holds, String format, Object... facts) {
        if (!holds) {
            throw new UsageError("%s", word(op) + ": " + String.format(Locale.ROOT, format, facts));
        }
    }

    /// The name of an operation as users know it.
    static String word(Op op) {
        return switch (op) {
            case Op.Unary(var kind) -> kind.name().toLowerCase(Locale.ROOT);
            case Op.Binary(var kind) -> kind.name().toLowerCase(Locale.ROOT);
            case Op.Compare(var kind) -> "compare " + kind;
            case Op.Reduce(var kind, _) -> "reduce " + kind.name().toLowerCase(Locale.ROOT);
            case Op.DotGeneral _ -> "dot_general";
            case Op.FullToShard _, Op.ShardToFull _ -> "shardMap";
            case Op.ShardingConstraint _ -> "withSharding";
            default -> {
                var name = op.getClass().getSimpleName();
                yield name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
            }
        };
    }
}
