package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.List;

/// Types of the results of operations that hold functions.
final class FlowTypes {
    private FlowTypes() {}

    /// All results; at least one.
    static List<ArrayType> of(Op op, Operands operands) {
        var types = operands.operands();
        var results =
                switch (op) {
                    case Op.Cond(var onTrue, var onFalse) -> {
                        predicate(operands, types.isEmpty() ? List.of() : types.subList(0, 1));
                        takes(operands, onTrue, types.subList(1, types.size()));
                        takes(operands, onFalse, types.subList(1, types.size()));
                        equal(operands, "the functions yield", onTrue, onFalse.resultTypes());
                        yield onTrue.resultTypes();
                    }
                    case Op.While(var cond, var body, int consts) -> {
                        takes(operands, cond, types);
                        takes(operands, body, types);
                        predicate(operands, cond.resultTypes());
                        var carry = types.subList(consts, types.size());
                        equal(operands, "the body yields", body, carry);
                        yield carry;
                    }
                    case Op.Scan scan -> scan(operands, scan);
                    case Op.Remat(var body) -> {
                        takes(operands, body, types);
                        yield body.resultTypes();
                    }
                    case Op.CustomVjp(var body, _, _, _) -> {
                        takes(operands, body, types);
                        yield body.resultTypes();
                    }
                    default -> throw new IllegalArgumentException("no function in " + op);
                };
        operands.check(!results.isEmpty(), "there is no array to yield");
        return results;
    }

    private static List<ArrayType> scan(Operands operands, Op.Scan scan) {
        var types = operands.operands();
        int first = scan.consts() + scan.carries();
        operands.check(types.size() >= first, "takes at least %d operands, got %s", first, types);
        var wanted = new ArrayList<>(types.subList(0, first));
        for (var type : types.subList(first, types.size())) {
            operands.check(
                    type.shape().rank() > 0 && type.shape().dim(0) == scan.length(),
                    "%s has no first dimension of %d",
                    type,
                    scan.length());
            wanted.add(new ArrayType(type.dtype(), type.shape().tail()));
        }
        takes(operands, scan.body(), wanted);
        var yielded = scan.body().resultTypes();
        var carry = types.subList(scan.consts(), first);
        operands.check(
                yielded.size() >= carry.size() && yielded.subList(0, carry.size()).equals(carry),
                "the body yields %s for the carry %s",
                yielded,
                carry);
        var results = new ArrayList<>(carry);
        for (var type : yielded.subList(carry.size(), yielded.size())) {
            results.add(new ArrayType(type.dtype(), type.shape().after(scan.length())));
        }
        return results;
    }

    private static void predicate(Operands operands, List<ArrayType> types) {
        operands.check(
                types.equals(List.of(ArrayType.of(DType.BOOL))),
                "the predicate is %s; it must be one truth value, as of x.sum().gt(0)",
                types);
    }

    private static void takes(Operands operands, Op.Body body, List<ArrayType> given) {
        operands.check(
                body.parameters().equals(given),
                "its function takes %s, %s are given",
                body.parameters(),
                given);
    }

    private static void equal(Operands operands, String who, Op.Body body, List<ArrayType> wanted) {
        operands.check(
                body.resultTypes().equals(wanted),
                "%s %s and %s; they must be equal",
                who,
                body.resultTypes(),
                wanted);
    }
}
