package org.meshbook.elastic.engine.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// An ONNX model being written: field numbers and nothing else.
///
/// Source: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
final class Model {
    /// ONNX's own unsigned types, of use only inside a model.
    static final int UINT32 = 12;

    static final int UINT64 = 13;

    private static final int IR_VERSION = 8;
    private static final int OPSET = 18;
    private static final long MOST_BYTES = Integer.MAX_VALUE - (64L << 20);

    private final Proto graph = new Proto();
    private final Map<List<Object>, Value> literals = new HashMap<>();
    private final Shared shared;
    private final Set<String> made = new HashSet<>();

    /// What a model and the graphs inside it count together.
    private static final class Shared {
        private String label = "";
        private long constantBytes;
        private int names;
        private int nodes;
    }

    Model() {
        this(new Shared());
    }

    private Model(Shared shared) {
        this.shared = shared;
    }

    /// A graph inside this one, for an attribute of a node; it sees this one's values.
    Model inner() {
        return new Model(shared);
    }

    /// Names the nodes that follow, for messages of ONNX Runtime.
    void label(String text) {
        shared.label = text;
    }

    int nodes() {
        return shared.nodes;
    }

    Value input(String name, ArrayType type) {
        graph.message(11, info(name, type));
        return new Value(name, type.dtype(), type.shape(), null);
    }

    /// An input with a name of its own.
    Value input(ArrayType type) {
        return input("i" + shared.names++, type);
    }

    /// Whether a value was computed here, and not taken in or found around.
    boolean made(Value value) {
        return made.contains(value.name());
    }

    void output(Value value) {
        graph.message(12, info(value.name(), value.type()));
    }

    /// Adds a node of one output.
    Value node(String op, DType dtype, Shape shape, List<Value> inputs, Proto... attributes) {
        return nodes(op, List.of(new ArrayType(dtype, shape)), inputs, attributes).getFirst();
    }

    /// Adds a node of some outputs.
    List<Value> nodes(String op, List<ArrayType> outputs, List<Value> inputs, Proto... attributes) {
        var node = new Proto();
        inputs.forEach(input -> node.text(1, input.name()));
        var values = new ArrayList<Value>();
        for (var type : outputs) {
            var out = new Value("v" + shared.names++, type.dtype(), type.shape(), null);
            made.add(out.name());
            node.text(2, out.name());
            values.add(out);
        }
        node.text(3, shared.nodes++ + " " + shared.label).text(4, op);
        for (var attribute : attributes) {
            node.message(5, attribute);
        }
        graph.message(1, node);
        return values;
    }

    Value constant(HostArray array) {
        shared.constantBytes += array.type().bytes();
        if (shared.constantBytes > MOST_BYTES) {
            throw new UsageError(
                    "the constants of one graph need %d bytes, an ONNX model holds 2 GiB; pass the"
                            + " arrays as arguments",
                    shared.constantBytes);
        }
        var type = array.type();
        var value = new Value("c" + shared.names++, type.dtype(), type.shape(), array);
        var tensor = new Proto();
        type.shape().dims().forEach(dim -> tensor.number(1, dim));
        tensor.number(2, code(type.dtype())).text(8, value.name()).bytes(9, array.bytes());
        graph.message(5, tensor);
        return value;
    }

    /// A scalar of a float type.
    Value real(DType dtype, double real) {
        return literals.computeIfAbsent(
                List.of(dtype, real),
                _ -> {
                    var array = HostArray.zeros(new ArrayType(dtype, Shape.SCALAR));
                    if (dtype == DType.F32) {
                        array.bytes().putFloat((float) real);
                    } else {
                        array.bytes().putDouble(real);
                    }
                    return constant(array);
                });
    }

    /// A scalar of any type.
    Value whole(DType dtype, long whole) {
        if (dtype.isFloat()) {
            return real(dtype, whole);
        }
        return literals.computeIfAbsent(
                List.of(dtype, whole),
                _ -> {
                    var array = HostArray.zeros(new ArrayType(dtype, Shape.SCALAR));
                    switch (dtype.bytes()) {
                        case 1 -> array.bytes().put((byte) whole);
                        case 4 -> array.bytes().putInt((int) whole);
                        default -> array.bytes().putLong(whole);
                    }
                    return constant(array);
                });
    }

    /// A vector of I64, as many operators take for shapes and axes.
    Value longs(List<Long> longs) {
        return literals.computeIfAbsent(
                List.of("longs", longs),
                _ -> {
                    var bytes =
                            ByteBuffer.allocate(8 * longs.size()).order(ByteOrder.nativeOrder());
                    longs.forEach(bytes::putLong);
                    return constant(
                            HostArray.wrap(ArrayType.of(DType.I64, longs.size()), bytes.flip()));
                });
    }

    static Proto attribute(String name, long value) {
        return new Proto().text(1, name).number(3, value).number(20, 2);
    }

    static Proto attribute(String name, String value) {
        return new Proto().text(1, name).text(4, value).number(20, 3);
    }

    static Proto attribute(String name, Model inner) {
        inner.graph.text(2, name);
        return new Proto().text(1, name).message(6, inner.graph).number(20, 5);
    }

    static Proto attribute(String name, List<Integer> values) {
        var proto = new Proto().text(1, name);
        values.forEach(value -> proto.number(8, value));
        return proto.number(20, 7);
    }

    byte[] bytes() {
        graph.text(2, "g");
        return new Proto()
                .number(1, IR_VERSION)
                .message(8, new Proto().text(1, "").number(2, OPSET))
                .message(7, graph)
                .toByteArray();
    }

    /// How a type is stored in a tensor: unsigned ones but U8 as signed ones of their width.
    static int code(DType dtype) {
        return switch (dtype) {
            case F32 -> 1;
            case F64 -> 11;
            case I32 -> 6;
            case I64 -> 7;
            case BOOL -> 9;
            case BF16 -> 16;
            case F16 -> 10;
            case I8 -> 3;
            case I16, U16 -> 5;
            case U8 -> 2;
            case U32 -> 6;
            case U64 -> 7;
        };
    }

    private static Proto info(String name, ArrayType type) {
        var dims = new Proto();
        type.shape().dims().forEach(dim -> dims.message(1, new Proto().number(1, dim)));
        var tensor = new Proto().number(1, code(type.dtype())).message(2, dims);
        return new Proto().text(1, name).message(2, new Proto().message(1, tensor));
    }
}
