package org.meshbook.elastic.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.operations.Operation.Gradient;

/// A program of listed operations, for us and for JAX, that a seed determines.
///
/// Values are numbered: the inputs, then one a line. Floats go through tanh, so that no program
/// runs away.
///
/// @param inputs what it is called with
/// @param lines in order
/// @param results numbers of the float values that the lines yield
public record RandomProgram(List<HostArray> inputs, List<Line> lines, List<Integer> results) {
    private static final int LARGEST = 1000;

    /// One operation on values by number.
    public record Line(Operation op, List<Integer> operands) {
        private Array apply(List<Array> values) {
            var result = op.call().apply(operands.stream().map(values::get).toList());
            return result.dtype().isFloat() ? result.tanh() : result;
        }
    }

    /// Makes a program.
    ///
    /// @param seed decides all
    /// @param length how many lines
    /// @return the program
    public static RandomProgram of(long seed, int length) {
        var random = new Random(seed);
        var inputs = inputs(seed);
        var values = new ArrayList<Array>(inputs);
        var lines = new ArrayList<Line>();
        while (lines.size() < length) {
            var line = line(random, values);
            attempt(line, values)
                    .ifPresent(
                            value -> {
                                lines.add(line);
                                values.add(value);
                            });
        }
        var results =
                IntStream.range(inputs.size(), values.size())
                        .filter(i -> values.get(i).dtype().isFloat())
                        .boxed()
                        .toList();
        return new RandomProgram(inputs, lines, results);
    }

    private static List<HostArray> inputs(long seed) {
        return List.of(
                Catalogue.f64(Array.normal(seed, 4, 6)),
                Catalogue.f64(Array.normal(seed + 1, 4, 6)),
                Catalogue.f64(Array.normal(seed + 2, 6)),
                Catalogue.f64(Array.normal(seed + 3, 4, 6, 2)),
                Catalogue.f64(Array.normal(seed + 4, 2, 6, 4, 2)),
                Catalogue.COUNTS);
    }

    private static Line line(Random random, List<Array> values) {
        // Reverse mode goes through the whole program.
        var all =
                Operations.all().stream().filter(op -> op.gradient() != Gradient.ONE_WAY).toList();
        var op = all.get(random.nextInt(all.size()));
        var operands =
                op.inputs().stream().map(like -> pick(random, values, like.dtype())).toList();
        return new Line(op, operands);
    }

    private static int pick(Random random, List<Array> values, DType dtype) {
        var fitting =
                IntStream.range(0, values.size())
                        .filter(i -> values.get(i).dtype() == dtype)
                        .boxed()
                        .toList();
        return fitting.isEmpty() ? 0 : fitting.get(random.nextInt(fitting.size()));
    }

    /// The line's value, if its operands fit and it is worth going on with.
    private static Optional<Array> attempt(Line line, List<Array> values) {
        try {
            var value = line.apply(values);
            boolean kept = value.dtype() != DType.F32 && value.shape().size() <= LARGEST;
            return kept && value.shape().size() > 0 ? Optional.of(value) : Optional.empty();
        } catch (ElasticException e) {
            return Optional.empty();
        }
    }

    /// Runs the program here.
    ///
    /// @param given in place of the inputs
    /// @return the results
    public List<Array> apply(List<Array> given) {
        var values = new ArrayList<>(given);
        lines.forEach(line -> values.add(line.apply(values)));
        return results.stream().map(values::get).toList();
    }

    /// @return one line of Python a line; `v0`, `v1` and so on are the values
    public List<String> python() {
        var text = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            var names = List.of("a", "b", "c").subList(0, line.operands().size());
            var arguments =
                    line.operands().stream().map(v -> "v" + v).collect(Collectors.joining(", "));
            text.add(
                    "v%d = squash((lambda %s: %s)(%s))"
                            .formatted(
                                    inputs.size() + i,
                                    String.join(", ", names),
                                    line.op().jax(),
                                    arguments));
        }
        return text;
    }
}
