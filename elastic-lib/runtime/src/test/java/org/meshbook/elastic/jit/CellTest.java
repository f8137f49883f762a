package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;

import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Records, methods and lambdas that are declared in JShell, as a notebook does.
class CellTest {
    private final JShell shell = JShell.builder().executionEngine("local").build();

    @BeforeEach
    void imports() {
        shell.addToClasspath(System.getProperty("java.class.path"));
        run("import org.meshbook.elastic.array.*;");
        run("import static org.meshbook.elastic.array.Pair.pair;");
        run("import static org.meshbook.elastic.jit.Jit.*;");
    }

    @AfterEach
    void close() {
        shell.close();
    }

    private String run(String cell) {
        var value = "";
        var rest = cell;
        while (!rest.isBlank()) {
            var info = shell.sourceCodeAnalysis().analyzeCompletion(rest);
            for (SnippetEvent event : shell.eval(info.source())) {
                assertThat(event.status())
                        .as(
                                "%s: %s",
                                info.source(),
                                shell.diagnostics(event.snippet())
                                        .map(d -> d.getMessage(null))
                                        .toList())
                        .isEqualTo(Snippet.Status.VALID);
                if (event.exception() != null) {
                    throw new AssertionError(info.source(), event.exception());
                }
                value = event.value() == null ? "" : event.value();
            }
            rest = info.remaining();
        }
        return value;
    }

    @Test
    void cellTrainsAModelOfItsOwnRecords() {
        run(
                """
                record Params(Array w, Array b) {}
                record Batch(Array x, Array y) {}
                Array loss(Params p, Batch b) { return b.x().matmul(p.w()).add(p.b()).sub(b.y()).square().mean(); }
                Params sgd(Params p, Params g, double rate) { return Tree.map(p, g, (w, d) -> w.sub(d.mul(rate))); }
                class Digits { static Array loss(Params p, Batch b) { return b.x().matmul(p.w()).add(p.b()).sub(b.y()).square().mean(); } }
                var x = Array.normal(1, 32, 3);
                var batch = new Batch(x, x.matmul(Array.of(1f, -2f, 3f)));
                var step = jit((Params p, Batch b) -> { var g = valueAndGrad(Digits::loss).apply(p, b); return pair(sgd(p, g.grad(), 0.1), g.value()); });
                var params = new Params(Array.zeros(3), Array.zeros(1));
                double last = 0;
                for (int i = 0; i < 100; i++) { var r = step.apply(params, batch); params = r.first(); last = r.second().item(); }
                """);
        assertThat(Double.parseDouble(run("last"))).isLessThan(1e-3);
        assertThat(run("step.traces()")).isEqualTo("1");
        assertThat(run("Tree.paths(params)")).isEqualTo("[w, b]");
        assertThat(
                        run(
                                "valueAndGrad((Params p, Batch b) -> loss(p, b)).apply(params, batch).grad().w().shape()"))
                .isEqualTo("[3]");
        assertThat(
                        run(
                                "jit((Array a) -> a.add(1)).lower(Array.of(1f)).toString().contains(\"stablehlo.add\")"))
                .isEqualTo("true");
    }
}
