package org.meshbook.elastic.graph;

import static org.meshbook.elastic.graph.StableHlo.comparison;
import static org.meshbook.elastic.graph.StableHlo.join;
import static org.meshbook.elastic.graph.StableHlo.tensor;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;

/// The operations of [StableHlo] whose addresses are data, and sorting.
record StableHloIndexing(StableHlo out) {
    String dynamicSlice(List<Integer> sizes, List<String> in, String signature) {
        return out.line("stablehlo.dynamic_slice %s, sizes = %s : %s", join(in), sizes, signature);
    }

    String gather(Op.Gather gather, List<String> in, String signature) {
        var sizes = gather.sizes().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return out.line(
                "\"stablehlo.gather\"(%s) <{dimension_numbers = #stablehlo.gather<%s>, slice_sizes ="
                        + " array<i64%s>, indices_are_sorted = false}> : %s",
                join(in),
                numbers(
                        gather.map(),
                        "offset_dims",
                        "collapsed_slice_dims",
                        "operand_batching_dims",
                        "start_indices_batching_dims",
                        "start_index_map"),
                sizes.isEmpty() ? "" : ": " + sizes,
                signature);
    }

    String scatter(Op.Scatter scatter, List<String> in, DType dtype, String signature) {
        var scalar = tensor(ArrayType.of(dtype));
        return out.line(
                """
                "stablehlo.scatter"(%s) <{scatter_dimension_numbers = #stablehlo.scatter<%s>, \
                indices_are_sorted = false, unique_indices = false}> ({
                    ^bb0(%%a: %s, %%b: %s):
                %s
                    }) : %s""",
                join(in),
                numbers(
                        scatter.map(),
                        "update_window_dims",
                        "inserted_window_dims",
                        "input_batching_dims",
                        "scatter_indices_batching_dims",
                        "scatter_dims_to_operand_dims"),
                scalar,
                scalar,
                combined(scatter.kind(), scalar),
                signature);
    }

    private static String combined(Op.ScatterKind kind, String scalar) {
        var operation =
                switch (kind) {
                    case SET -> "";
                    case ADD -> "add";
                    case MULTIPLY -> "multiply";
                    case MAX -> "maximum";
                    case MIN -> "minimum";
                };
        return kind == Op.ScatterKind.SET
                ? "      stablehlo.return %%b : %s".formatted(scalar)
                : """
                      %%r = stablehlo.%s %%a, %%b : %s
                      stablehlo.return %%r : %s\
                """
                        .formatted(operation, scalar, scalar);
    }

    /// Dimension numbers as MLIR prints them: what is empty is left out.
    private static String numbers(
            IndexMap map,
            String window,
            String dropped,
            String batch,
            String indexBatch,
            String indexed) {
        var parts = new StringJoiner(", ");
        part(parts, window, map.window());
        part(parts, dropped, map.dropped());
        part(parts, batch, map.batch());
        part(parts, indexBatch, map.indexBatch());
        part(parts, indexed, map.indexed());
        return parts.add("index_vector_dim = " + map.vector()).toString();
    }

    private static void part(StringJoiner parts, String name, List<Integer> dims) {
        if (!dims.isEmpty()) {
            parts.add(name + " = " + dims);
        }
    }

    /// Sorts the values and their places together, and yields the places.
    String argSort(Op.ArgSort sort, String x, ArrayType type, ArrayType result) {
        var counted = out.line("stablehlo.iota dim = %d : %s", sort.dim(), tensor(result));
        var scalar = tensor(ArrayType.of(type.dtype()));
        var pair =
                out.pair(
                        """
                        "stablehlo.sort"(%s, %s) <{dimension = %d : i64, is_stable = true}> ({
                            ^bb0(%%a: %s, %%b: %s, %%i: tensor<i32>, %%j: tensor<i32>):
                        %s
                              stablehlo.return %%before : tensor<i1>
                            }) : (%s, %s) -> (%s, %s)""",
                        x,
                        counted,
                        sort.dim(),
                        scalar,
                        scalar,
                        before(type.dtype(), sort.descending()),
                        tensor(type),
                        tensor(result),
                        tensor(type),
                        tensor(result));
        return pair + "#1";
    }

    /// Whether `a` comes before `b`; NaN is the greatest.
    private static String before(DType dtype, boolean descending) {
        var types = signature(dtype);
        var order =
                "stablehlo.compare %s, %%a, %%b, %s : %s"
                        .formatted(descending ? "GT" : "LT", comparison(dtype), types);
        if (!dtype.isFloat()) {
            return "      %before = " + order;
        }
        return """
              %%order = %s
              %%nan = stablehlo.compare NE, %%%s, %%%s, FLOAT : %s
              %%number = stablehlo.compare EQ, %%%s, %%%s, FLOAT : %s
              %%end = stablehlo.and %%nan, %%number : tensor<i1>
              %%before = stablehlo.or %%order, %%end : tensor<i1>\
        """
                .formatted(
                        order,
                        descending ? "a" : "b",
                        descending ? "a" : "b",
                        types,
                        descending ? "b" : "a",
                        descending ? "b" : "a",
                        types);
    }

    private static String signature(DType dtype) {
        var scalar = ArrayType.of(dtype);
        return StableHlo.signature(List.of(scalar, scalar), ArrayType.of(DType.BOOL));
    }
}
