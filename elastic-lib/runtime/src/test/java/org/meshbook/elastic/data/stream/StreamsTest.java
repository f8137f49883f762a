package org.meshbook.elastic.data.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;

class StreamsTest {
    private final AtomicInteger opened = new AtomicInteger();

    /// `count` rows, numbered from `first`; says how many are open.
    private record Counted(String name, int first, int count, AtomicInteger opened)
            implements Streams.Part<Array> {
        @Override
        public Stream<Array> rows() {
            opened.incrementAndGet();
            return IntStream.range(first, first + count)
                    .mapToObj(row -> (Array) Array.scalar(row))
                    .onClose(opened::decrementAndGet);
        }
    }

    private Streams<Array> parts(int... counts) {
        var parts = new ArrayList<Counted>();
        int first = 0;
        for (int count : counts) {
            parts.add(new Counted("part-" + parts.size(), first, count, opened));
            first += count;
        }
        return Streams.of(parts);
    }

    @Test
    void rowsOfPartsAreInterleavedAndTheRestIsNotDropped() {
        try (var feed = parts(4, 2, 1).from(parts(4, 2, 1).start(), 3)) {
            assertThat(ids(feed.next())).containsExactly(0, 4, 6);
            assertThat(ids(feed.next())).containsExactly(1, 5, 2);
            assertThat(ids(feed.next())).containsExactly(3);
            assertThat(feed.hasNext()).isFalse();
        }
        assertThat(opened).hasValue(0);
    }

    @Test
    void readersTakeWholeParts() {
        var all = parts(2, 2, 2, 2);
        try (var feed = all.shard(1, 2).from(all.start(), 10)) {
            assertThat(ids(feed.next())).containsExactly(2, 6, 3, 7);
            assertThat(feed.position().used()).isEqualTo("0,2,0,2");
        }
        assertThatThrownBy(() -> all.shard(0, 5))
                .isInstanceOf(UsageError.class)
                .hasMessage("5 readers of 4 parts; give 1 to 4, or cut the data into more parts");
    }

    @Test
    void everyRowComesOnceWhateverTheNumberOfReaders() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var all = parts(random.ints(5, 0, 12).toArray());
            var seen = new ArrayList<Integer>();
            var position = all.start();
            boolean more = true;
            while (more) {
                int readers = 1 + random.nextInt(5);
                var after = position;
                more = false;
                for (int reader = 0; reader < readers; reader++) {
                    try (var feed = all.shard(reader, readers).from(position, 1 + reader)) {
                        for (int step = random.nextInt(3); step >= 0 && feed.hasNext(); step--) {
                            seen.addAll(ids(feed.next()));
                        }
                        more |= feed.hasNext();
                        after = after.plus(feed.position());
                    }
                }
                position = after;
            }
            assertThat(seen).as("seed %d", seed).doesNotHaveDuplicates();
            assertThat(seen).hasSize(count(all));
            assertThat(opened).hasValue(0);
        }
    }

    @Test
    void positionIsATreeOfPlainValuesAndOfTheSameParts() {
        var saved = parts(3, 3).start();
        var flat = Tree.flatten(saved);
        assertThat(flat.leaves()).isEmpty();
        StreamPosition again = flat.structure().rebuild(List.of());
        assertThat(again).isEqualTo(saved);
        assertThatThrownBy(() -> parts(3, 3, 3).from(saved, 1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'2 parts, part-0 to part-1")
                .hasMessageContaining("'3 parts, part-0 to part-2");
    }

    @Test
    void linesOfFilesAreRows(@TempDir Path folder) throws IOException {
        record Row(Array x, Array y) {}
        var a = Files.writeString(folder.resolve("a.txt"), "1 2\n3 4\n");
        var b = Files.writeString(folder.resolve("b.txt"), "5 6\n");
        var rows =
                Streams.lines(
                        List.of(a, b),
                        line -> {
                            var words = line.split(" ");
                            return new Row(
                                    Array.of(Float.parseFloat(words[0]), 0),
                                    Array.scalar(Integer.parseInt(words[1])));
                        });
        try (var feed = rows.from(rows.start(), 3)) {
            var batch = feed.next();
            assertThat(batch.x().type()).isEqualTo(ArrayType.of(DType.F32, 3, 2));
            assertThat(batch.y()).isEqualTo(Array.of(2, 6, 4));
        }
    }

    @Test
    void rowsOfDifferentShapesAreNamed() {
        var parts = List.of(new Uneven());
        try (var feed = Streams.of(parts).from(Streams.of(parts).start(), 2)) {
            assertThatThrownBy(feed::next)
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("is f32[1] in one row and f32[2] in another");
        }
    }

    private record Uneven() implements Streams.Part<List<Array>> {
        @Override
        public String name() {
            return "uneven";
        }

        @Override
        public Stream<List<Array>> rows() {
            return Stream.of(List.of(Array.of(1f)), List.of(Array.of(1f, 2f)));
        }
    }

    private int count(Streams<Array> all) {
        int count = 0;
        try (var feed = all.from(all.start(), 1)) {
            while (feed.hasNext()) {
                feed.next();
                count++;
            }
        }
        return count;
    }

    private static List<Integer> ids(Array batch) {
        return IntStream.of(batch.toHost().ints()).boxed().toList();
    }
}
