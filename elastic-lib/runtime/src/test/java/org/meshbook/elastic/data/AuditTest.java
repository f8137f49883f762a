package org.meshbook.elastic.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;

class AuditTest {
    private final Audit none = Audit.of("10 rows of x", 10);

    @Test
    void certificateOfACleanRunSaysExactlyOnce() {
        var audit = none.plus(batch(0, 4, 0)).plus(batch(4, 4, 0)).plus(batch(10, 4, 2));
        assertThat(audit.exactlyOnce()).isTrue();
        assertThat(audit.certificate())
                .isEqualTo(
                        """
                        exactly once: rows 0 to 13 (1.40 epochs of 10) of 10 rows of x
                          used             12
                          dropped           2  left over at ends of epochs
                          failed            0
                          missing           0
                          twice             0\
                        """);
    }

    @Test
    void rowThatComesAgainAndRowPassedOverAreNamed() {
        var audit = none.plus(batch(0, 4, 0)).plus(batch(12, 4, 0)).plus(batch(2, 4, 0));
        assertThat(audit.exactlyOnce()).isFalse();
        assertThat(audit.certificate())
                .startsWith("NOT exactly once")
                .contains("missing           6  6-11 (epoch 0)")
                .contains("twice             2  2-3 (epoch 0)");
        assertThat(audit.missing()).isEqualTo("6-11");
        assertThat(audit.twice()).isEqualTo("2-3");
    }

    @Test
    void batchOneStepAheadOfTheStateIsFound() {
        // the loader was at 501 and the model at 500: rows of one step are never used
        var audit = none.plus(batch(0, 2, 0)).plus(batch(4, 2, 0));
        assertThat(audit.missing()).isEqualTo("2-3");
    }

    @Test
    void accountsOfShardsJoin() {
        var whole = none;
        for (int shard = 0; shard < 3; shard++) {
            var mine = none.plus(new Taken(0, 6, shard, 3, 0, List.of()));
            assertThat(mine.exactlyOnce()).isEqualTo(false);
            whole = whole.plus(mine);
        }
        assertThat(whole.covered()).isEqualTo("0-5");
        assertThat(whole.exactlyOnce()).isTrue();
        assertThatThrownBy(() -> none.plus(Audit.of("others", 10)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'others'");
    }

    @Test
    void rangesBehaveAsSets() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var a = new TreeSet<Long>();
            var b = new TreeSet<Long>();
            var spansA = fill(random, a);
            var spansB = fill(random, b);
            var union = new TreeSet<>(a);
            union.addAll(b);
            var common = new TreeSet<>(a);
            common.retainAll(b);
            assertThat(numbers(spansA.plus(spansB))).isEqualTo(union);
            assertThat(numbers(spansA.both(spansB))).isEqualTo(common);
            assertThat(Spans.of(spansA.toString())).isEqualTo(spansA);
            assertThat(spansA.gaps().count() + spansA.count()).isEqualTo(spansA.end());
        }
    }

    private static Spans fill(Random random, TreeSet<Long> numbers) {
        var spans = Spans.NONE;
        for (int i = random.nextInt(8); i > 0; i--) {
            long first = random.nextInt(40);
            long end = first + 1 + random.nextInt(6);
            spans = spans.plus(Spans.range(first, end));
            for (long number = first; number < end; number++) {
                numbers.add(number);
            }
        }
        return spans;
    }

    private static TreeSet<Long> numbers(Spans spans) {
        var numbers = new TreeSet<Long>();
        for (var span : spans.spans()) {
            for (long number = span.first(); number <= span.last(); number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static Taken batch(long first, int size, long dropped) {
        return new Taken(first, size, 0, 1, dropped, List.of());
    }
}
