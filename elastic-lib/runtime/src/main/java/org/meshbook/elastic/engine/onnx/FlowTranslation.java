package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.graph.Graph;

/// Operations that hold functions, as ONNX's If, Loop and Scan: a function is a graph inside the
/// node, and sees the values around it, so that constants need not be carried.
///
/// Source: https://onnx.ai/onnx/operators, opset 18
record FlowTranslation(Model model) {

    /// @param operands with all their elements
    /// @return all results
    List<Value> of(Op op, List<Value> operands) {
        return switch (op) {
            case Op.Cond cond -> cond(cond, operands);
            case Op.While loop -> loop(loop, operands);
            case Op.Scan scan -> scan(scan, operands);
            default -> throw new IllegalStateException("no function in " + op);
        };
    }

    private List<Value> cond(Op.Cond cond, List<Value> operands) {
        var rest = operands.subList(1, operands.size());
        var yes = model.inner();
        var results = Translation.write(Graph.of(cond.onTrue()), yes, rest);
        outputs(yes, results);
        var no = model.inner();
        outputs(no, Translation.write(Graph.of(cond.onFalse()), no, rest));
        var types = results.stream().map(Value::type).toList();
        if (types.stream().allMatch(FlowTranslation::isEmpty)) {
            return spread(types, List.of());
        }
        var made =
                model.nodes(
                        "If",
                        types.stream().filter(type -> !isEmpty(type)).toList(),
                        List.of(operands.getFirst()),
                        Model.attribute("then_branch", yes),
                        Model.attribute("else_branch", no));
        return spread(types, made);
    }

    private List<Value> loop(Op.While loop, List<Value> operands) {
        var consts = operands.subList(0, loop.consts());
        var init = operands.subList(loop.consts(), operands.size());
        var types = init.stream().map(Value::type).toList();
        var goOn = Translation.write(Graph.of(loop.cond()), model, operands).getFirst();
        // The body: its number and the last condition come in first, the next condition goes out.
        var inner = model.inner();
        inner.input(ArrayType.of(DType.I64));
        inner.input(ArrayType.of(DType.BOOL));
        var carry = inputs(inner, types);
        var next = Translation.write(Graph.of(loop.body()), inner, joined(consts, carry));
        var test = Translation.write(Graph.of(loop.cond()), inner, joined(consts, next));
        outputs(inner, joined(test, next));
        var steps = Value.empty(ArrayType.of(DType.I64));
        var made =
                model.nodes(
                        "Loop",
                        types.stream().filter(type -> !isEmpty(type)).toList(),
                        joined(List.of(steps, goOn), full(init)),
                        Model.attribute("body", inner));
        return spread(types, made);
    }

    private List<Value> scan(Op.Scan scan, List<Value> operands) {
        int first = scan.consts() + scan.carries();
        var consts = operands.subList(0, scan.consts());
        var init = operands.subList(scan.consts(), first);
        var elements = new ArrayList<>(operands.subList(first, operands.size()));
        // ONNX's Scan counts its steps by what it goes over.
        boolean counted = elements.stream().noneMatch(x -> !x.isEmpty());
        var inner = model.inner();
        var carry = inputs(inner, init.stream().map(Value::type).toList());
        var taken =
                inputs(
                        inner,
                        elements.stream()
                                .map(x -> new ArrayType(x.dtype(), x.shape().tail()))
                                .toList());
        if (counted) {
            inner.input(ArrayType.of(DType.I64));
            elements.add(model.longs(Collections.nCopies(scan.length(), 0L)));
        }
        var yielded =
                Translation.write(
                        Graph.of(scan.body()), inner, joined(consts, joined(carry, taken)));
        outputs(inner, yielded);
        var types = new ArrayList<ArrayType>();
        for (int i = 0; i < yielded.size(); i++) {
            var type = yielded.get(i).type();
            boolean carried = i < scan.carries();
            var shape = carried ? type.shape() : type.shape().after(scan.length());
            types.add(new ArrayType(type.dtype(), shape));
        }
        int ways = scan.reverse() ? 1 : 0;
        var over = full(elements);
        long stacked =
                types.subList(scan.carries(), types.size()).stream()
                        .filter(type -> !isEmpty(type))
                        .count();
        var made =
                model.nodes(
                        "Scan",
                        types.stream().filter(type -> !isEmpty(type)).toList(),
                        joined(full(init), over),
                        Model.attribute("body", inner),
                        Model.attribute("num_scan_inputs", over.size()),
                        Model.attribute(
                                "scan_input_directions", Collections.nCopies(over.size(), ways)),
                        Model.attribute(
                                "scan_output_directions",
                                Collections.nCopies((int) stacked, ways)));
        return spread(types, made);
    }

    /// A choice between `x` and `x` by something that only `after` knows: an Identity would be
    /// folded away, and what comes after it shared with what came before.
    Value barrier(Value x, Value after) {
        if (x.isEmpty() || after.isEmpty()) {
            return x;
        }
        var emit = new Emit(model);
        var flat = emit.reshape(after, Shape.of((int) after.shape().size()));
        var one = emit.slice(flat, List.of(0), List.of(1), List.of(1));
        var scalar = emit.reshape(one, Shape.SCALAR);
        var known = scalar.isFloat() ? emit.isNan(scalar) : emit.test("Equal", scalar, scalar);
        return emit.where(known, x, x);
    }

    private static List<Value> inputs(Model inner, List<ArrayType> types) {
        return types.stream()
                .map(type -> isEmpty(type) ? Value.empty(type) : inner.input(type))
                .toList();
    }

    /// An output has to be a node's own, and one node's output is no two outputs.
    private static void outputs(Model inner, List<Value> values) {
        var taken = new HashSet<String>();
        for (var value : full(values)) {
            boolean own = inner.made(value) && taken.add(value.name());
            inner.output(own ? value : new Emit(inner).unary("Identity", value));
        }
    }

    private static List<Value> full(List<Value> values) {
        return values.stream().filter(value -> !value.isEmpty()).toList();
    }

    /// Puts values without elements back among those that the model has.
    private static List<Value> spread(List<ArrayType> types, List<Value> made) {
        var rest = made.iterator();
        return IntStream.range(0, types.size())
                .mapToObj(i -> isEmpty(types.get(i)) ? Value.empty(types.get(i)) : rest.next())
                .toList();
    }

    private static boolean isEmpty(ArrayType type) {
        return type.shape().size() == 0;
    }

    private static List<Value> joined(List<Value> left, List<Value> right) {
        var all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }
}
