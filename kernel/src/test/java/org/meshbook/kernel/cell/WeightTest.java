package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A header is 16 bytes, a reference 8.
class WeightTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void aValueWeighsWhatItKeeps(String what, @Nullable Object value, long bytes) {
        assertThat(Weight.of(value)).isEqualTo(bytes);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("nothing", null, 0),
                Arguments.of("text", "abc", 16 + 6),
                Arguments.of("text that grows", new StringBuilder("abc"), 16 + 64),
                Arguments.of("doubles", new double[10], 16 + 80),
                Arguments.of("longs", new long[10], 16 + 80),
                Arguments.of("ints", new int[10], 16 + 40),
                Arguments.of("floats", new float[10], 16 + 40),
                Arguments.of("shorts", new short[10], 16 + 20),
                Arguments.of("characters", new char[10], 16 + 20),
                Arguments.of("bytes", new byte[10], 16 + 10),
                Arguments.of("truth values", new boolean[10], 16 + 10),
                Arguments.of("rows", new float[2][10], 16 + 16 + 2 * (16 + 40)),
                Arguments.of("a buffer", ByteBuffer.allocate(10), 16 + 80),
                Arguments.of(
                        "a picture",
                        new BufferedImage(3, 5, BufferedImage.TYPE_INT_RGB),
                        16 + 4 * 15),
                Arguments.of("a list", new ArrayList<>(List.of("a", "b")), 16 + 2 * (16 + 18)),
                Arguments.of("a map", new HashMap<>(Map.of("a", "b")), 16 + 2 * (16 + 18)),
                Arguments.of("a class of a cell", new Named("abc"), 16 + 8 + 8 + 16 + 6),
                Arguments.of("one below it", new Twice("abc"), 16 + 24 + 16 + 6),
                Arguments.of("a number", 5, 16));
    }

    @SuppressWarnings("UnusedVariable") // fields are weighed, not read
    private static class Named {
        static final byte[] SHARED = new byte[1_000];

        final String name;
        final int length;

        Named(String name) {
            this.name = name;
            length = name.length();
        }
    }

    @SuppressWarnings("UnusedVariable") // as above
    private static final class Twice extends Named {
        final String again;

        Twice(String name) {
            super(name);
            again = name;
        }
    }

    @Test
    void whatIsThereTwiceWeighsOnce() {
        var shared = new double[10];
        assertThat(Weight.of(new Object[] {shared, shared})).isEqualTo(16 + 16 + 96);
        var round = new Object[1];
        round[0] = round;
        assertThat(Weight.of(round)).isEqualTo(16 + 8);
    }

    @Test
    void aThousandObjectsAreLookedAt() {
        var many = IntStream.range(0, 5_000).mapToObj(_ -> new byte[100]).toArray();
        var seen = 999 * (16 + 100);
        assertThat(Weight.of(many)).isEqualTo(16 + 8 * 5_000 + seen);
        assertThat(Weight.of(List.of(many))).isEqualTo(16 + 16 * 5_000 + seen);
    }

    @Test
    void aListThatChangesMeanwhileIsGuessed() {
        var view = Collections.unmodifiableCollection(new Changing());
        assertThat(Weight.of(view)).isEqualTo(16 + 2 * 16 + 2 * 8);
    }

    private static final class Changing extends AbstractCollection<Integer> {
        @Override
        public Iterator<Integer> iterator() {
            throw new ConcurrentModificationException();
        }

        @Override
        public int size() {
            return 2;
        }
    }
}
