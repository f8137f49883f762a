package org.meshbook.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.metrics.Exposition.Type;

/// Prometheus's text, written and read.
class SampleTest {
    @Test
    void whatIsWrittenIsReadAgain() {
        var out = new Exposition();
        out.family("a_total", Type.COUNTER, "Two\\three");
        out.sample("a_total", Exposition.labels("why", "a \"b\"\\c\nd", "x", "}"), 2.5);
        out.sample("b", Map.of(), 12_345_678_901.0);

        assertThat(out.toString())
                .startsWith("# HELP a_total Two\\\\three\n# TYPE a_total counter\n");
        assertThat(Sample.read(out.toString()))
                .containsExactly(
                        new Sample("a_total", Map.of("why", "a \"b\"\\c\nd", "x", "}"), 2.5),
                        new Sample("b", Map.of(), 12_345_678_901.0));
    }

    @Test
    void bucketsAreCumulativeAndEndWithAll() {
        var histogram = new Histogram(List.of(1.0, 2.5));
        histogram.add(Duration.ofMillis(500));
        histogram.add(Duration.ofSeconds(2));
        histogram.add(Duration.ofSeconds(9));
        var out = new Exposition();
        histogram.write(out, "t", Exposition.labels("q", "main"));

        assertThat(out.toString())
                .isEqualTo(
                        """
                        t_bucket{q="main",le="1"} 1
                        t_bucket{q="main",le="2.5"} 2
                        t_bucket{q="main",le="+Inf"} 3
                        t_sum{q="main"} 11.5
                        t_count{q="main"} 3
                        """);
    }

    @Test
    void linesThatAreNoSamplesAreLeftOut() {
        assertThat(Sample.read("# TYPE a gauge\n\nnonsense\na{x=\"1\"} much\nb 1 1700000000\n"))
                .containsExactly(new Sample("b", Map.of(), 1));
    }
}
