package org.meshbook.kernel.display;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The first elements of something that may be endless, slow, or wrong about its size.
///
/// @param first the first elements, in order
/// @param more how many follow; 0 for none, [#UNKNOWN] for some
record Sample(List<@Nullable Object> first, long more) {
    static final long UNKNOWN = -1;

    /// After so long the elements that there are must do.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /// @param most how many elements to take
    static Sample of(Iterable<?> elements, long most) {
        var first = new ArrayList<@Nullable Object>();
        var iterator = elements.iterator();
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (iterator.hasNext()) {
            if (first.size() >= most || System.nanoTime() > deadline) {
                return new Sample(first, left(size(elements), first.size()));
            }
            first.add(iterator.next());
        }
        return new Sample(first, 0);
    }

    static Sample of(Map<?, ?> map, long most) {
        return of(map.entrySet(), most);
    }

    /// @param array any array
    static Sample ofArray(Object array, long most) {
        var size = Array.getLength(array);
        var count = (int) Math.min(size, most);
        var first = new ArrayList<@Nullable Object>(count);
        for (var i = 0; i < count; i++) {
            first.add(Array.get(array, i));
        }
        return new Sample(first, size - count);
    }

    /// Uses the stream up, and closes it.
    static Sample of(BaseStream<?, ?> stream, long most) {
        var first = new ArrayList<@Nullable Object>();
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        try (stream) {
            boxed(stream)
                    .sequential()
                    .limit(most < Long.MAX_VALUE ? most + 1 : most)
                    .forEachOrdered(
                            element -> {
                                if (System.nanoTime() > deadline) {
                                    throw new Enough();
                                }
                                first.add(element);
                            });
        } catch (Enough e) {
            return new Sample(first, UNKNOWN);
        }
        if (first.size() <= most) {
            return new Sample(first, 0);
        }
        first.removeLast();
        return new Sample(first, UNKNOWN);
    }

    private static Stream<?> boxed(BaseStream<?, ?> stream) {
        return switch (stream) {
            case IntStream ints -> ints.boxed();
            case LongStream longs -> longs.boxed();
            case DoubleStream doubles -> doubles.boxed();
            case Stream<?> objects -> objects;
            default -> throw new IllegalArgumentException("a stream of an unknown kind");
        };
    }

    private static long size(Iterable<?> elements) {
        try {
            return elements instanceof Collection<?> collection ? collection.size() : UNKNOWN;
        } catch (RuntimeException e) {
            return UNKNOWN;
        }
    }

    private static long left(long size, int taken) {
        return size > taken ? size - taken : UNKNOWN;
    }

    /// @return what follows the first elements, as a person reads it; empty if nothing does
    String rest() {
        return more == 0 ? "" : more == UNKNOWN ? "..." : "... %d more".formatted(more);
    }

    /// Ends a stream that takes too long.
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super("enough", null, false, false);
        }
    }
}
