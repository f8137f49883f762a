package org.meshbook.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.formats.Weights;
import org.meshbook.elastic.operations.Operation.Gradient;
import org.meshbook.elastic.operations.Operations;
import org.meshbook.elastic.operations.RandomProgram;
import org.meshbook.elastic.operations.Weighted;

/// Every listed operation, and programs made of them by chance, here and in JAX: values and
/// gradients, on the engines that there are.
///
/// All in F64, where only the order of sums differs. `-Dmeshbook.jax.programs=500` tries more
/// programs than the sample, and `-Dmeshbook.jax.seed=N` others.
final class JaxOperationsTest {
    private static final double TOLERANCE = 1e-9;
    private static final int LENGTH = 12;
    private static final int SAMPLE = Integer.getInteger("meshbook.jax.programs", 30);
    private static final long SEED = Long.getLong("meshbook.jax.seed", 1);

    /// What both are to run.
    private record Program(
            String name,
            List<HostArray> inputs,
            List<String> python,
            List<String> results,
            boolean gradients,
            Function<List<Array>, List<Array>> call) {}

    @TempDir Path folder;

    @BeforeAll
    static void thereIsJax() throws InterruptedException {
        Jax.require();
    }

    @Test
    void everyOperationIsJaxs() throws Exception {
        var programs = new ArrayList<Program>();
        for (var op : Operations.all()) {
            var names = List.of("a", "b", "c").subList(0, op.inputs().size());
            var values = IntStream.range(0, names.size()).mapToObj(i -> "v" + i).toList();
            var line = "%s = %s".formatted(String.join(", ", names), String.join(", ", values));
            programs.add(
                    new Program(
                            "op" + programs.size(),
                            op.inputs(),
                            List.of(line, "value = " + op.jax()),
                            List.of("value"),
                            op.gradient() == Gradient.YES,
                            in -> List.of(op.call().apply(in))));
        }
        var theirs = jax(programs);
        for (int i = 0; i < programs.size(); i++) {
            var op = Operations.all().get(i);
            compare(op.name(), programs.get(i), theirs);
        }
    }

    @Test
    void randomProgramsAreJaxs() throws Exception {
        System.out.printf("%d random programs from seed %d%n", SAMPLE, SEED);
        var programs = new ArrayList<Program>();
        for (int i = 0; i < SAMPLE; i++) {
            var program = RandomProgram.of(SEED + i, LENGTH);
            programs.add(
                    new Program(
                            "seed" + (SEED + i),
                            program.inputs(),
                            program.python(),
                            program.results().stream().map(v -> "v" + v).toList(),
                            true,
                            program::apply));
        }
        var theirs = jax(programs);
        // Some operations here take more shapes than JAX's.
        var taken = programs.stream().filter(p -> theirs.containsKey(p.name() + "_r0")).toList();
        assertThat(taken).hasSizeGreaterThan(SAMPLE / 2);
        for (var program : taken) {
            var what = program.name() + "\n" + String.join("\n", program.python()) + "\n";
            compare(what, program, theirs);
        }
    }

    private Map<String, Array> jax(List<Program> programs)
            throws IOException, InterruptedException {
        var inputs = new LinkedHashMap<String, Array>();
        var text = new ArrayList<String>();
        for (var program : programs) {
            var keys = new ArrayList<String>();
            for (int i = 0; i < program.inputs().size(); i++) {
                keys.add(program.name() + "_i" + i);
                inputs.put(keys.getLast(), program.inputs().get(i));
            }
            var wanted = program.gradients() ? " gradients " : " values ";
            text.add("program " + program.name() + wanted + String.join(" ", keys));
            text.addAll(program.python());
            text.add("return " + String.join(" ", program.results()));
        }
        var given = folder.resolve("inputs.npz");
        var found = folder.resolve("results.npz");
        var script = folder.resolve("programs.txt");
        Weights.write(given, inputs);
        Files.write(script, text);
        Jax.run("jax_programs.py", folder, given.toString(), script.toString(), found.toString());
        return Weights.read(found);
    }

    private static void compare(String what, Program program, Map<String, Array> theirs) {
        for (var engine : List.of("reference", "onnx")) {
            var values = run(engine, program.inputs(), program.call());
            for (int i = 0; i < values.size(); i++) {
                near(what + " on " + engine, values.get(i), theirs, program.name() + "_r" + i);
            }
        }
        if (program.gradients()) {
            gradients(what, program, theirs);
        }
    }

    private static void gradients(String what, Program program, Map<String, Array> theirs) {
        var floats =
                IntStream.range(0, program.inputs().size())
                        .filter(i -> program.inputs().get(i).dtype().isFloat())
                        .boxed()
                        .toList();
        var by = floats.stream().map(program.inputs()::get).toList();
        Function<List<Array>, List<Array>> gradient =
                given ->
                        grad((List<Array> changed) -> {
                                    var in = new ArrayList<Array>(program.inputs());
                                    for (int i = 0; i < changed.size(); i++) {
                                        in.set(floats.get(i), changed.get(i));
                                    }
                                    return program.call().apply(in).stream()
                                            .filter(x -> x.dtype().isFloat())
                                            .map(Weighted::sum)
                                            .reduce(Array.scalar(0.0), Array::add);
                                })
                                .apply(given);
        for (var engine : List.of("reference", "onnx")) {
            var found = run(engine, by, gradient);
            for (int i = 0; i < found.size(); i++) {
                var key = program.name() + "_g" + floats.get(i);
                near(
                        what + " gradient by " + floats.get(i) + " on " + engine,
                        found.get(i),
                        theirs,
                        key);
            }
        }
    }

    private static List<HostArray> run(
            String engine, List<HostArray> inputs, Function<List<Array>, List<Array>> call) {
        var graph = jit((List<Array> in) -> call.apply(in)).lower(List.copyOf(inputs)).graph();
        try (var executable = Engines.named(engine).compile(graph, 1)) {
            return executable.run(inputs);
        }
    }

    private static void near(String what, HostArray ours, Map<String, Array> theirs, String key) {
        var wanted = Objects.requireNonNull(theirs.get(key), key).toHost();
        var found = ours.dtype() == DType.BOOL ? (HostArray) ours.cast(DType.I32) : ours;
        assertThat(found.type()).as(what).isEqualTo(wanted.type());
        double tolerance = found.dtype() == DType.F32 ? 1e-6 : TOLERANCE;
        var f = found.doubles();
        var w = wanted.doubles();
        for (int i = 0; i < f.length; i++) {
            boolean same =
                    Double.compare(f[i], w[i]) == 0
                            || Math.abs(f[i] - w[i]) <= tolerance * Math.max(1, Math.abs(w[i]));
            assertThat(same).as("%s: element %d is %s, JAX's is %s", what, i, f[i], w[i]).isTrue();
        }
    }
}
