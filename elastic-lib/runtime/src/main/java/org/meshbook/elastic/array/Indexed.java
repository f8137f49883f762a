package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Op.ScatterKind;

/// A part of an array, to be read or to be changed in a copy; what [Indexing#index] yields.
///
/// Values are broadcast to the part. Thread-safe.
public sealed interface Indexed {
    /// @return the whole array
    Array x();

    /// @return the part
    Array get();

    /// @param value broadcast to the part
    /// @return a copy of the array with that value there; of values for one element the last stays
    Array set(Array value);

    /// @param value added to each element; several for one element are all added
    /// @return a copy of the array with the sums there
    Array add(Array value);

    /// @param value factor of each element; several for one element are all applied
    /// @return a copy of the array with the products there
    Array mul(Array value);

    /// @param value compared with each element
    /// @return a copy of the array with the greater there
    Array max(Array value);

    /// @param value compared with each element
    /// @return a copy of the array with the smaller there
    Array min(Array value);

    /// @param value taken for each element
    /// @return [#set(Array)] of it
    default Array set(double value) {
        return set(Apply.scalarLike(x(), value));
    }

    /// @param value taken for each element
    /// @return [#add(Array)] of it
    default Array add(double value) {
        return add(Apply.scalarLike(x(), value));
    }

    /// @param value taken for each element
    /// @return [#mul(Array)] of it
    default Array mul(double value) {
        return mul(Apply.scalarLike(x(), value));
    }

    static Indexed of(Array x, List<Index> index) {
        int rank = x.type().shape().rank();
        require(
                index.size() <= rank,
                "%s has %d dimensions, the index %d; leave some out",
                x.type(),
                rank,
                index.size());
        var all = new ArrayList<>(index);
        all.addAll(Collections.nCopies(rank - index.size(), Index.all()));
        return index.stream().anyMatch(Array.class::isInstance)
                ? Picked.of(x, all)
                : Block.of(x, all);
    }

    /// Indices that count from the end where they are negative.
    static Array counted(Array indices, int size) {
        return indices.lt(0).select(indices.add(size), indices);
    }

    /// A part whose place is known: a block.
    ///
    /// @param x the array
    /// @param start of the block
    /// @param limit end of the block
    /// @param shape of the part, without dropped dimensions
    record Block(Array x, List<Integer> start, List<Integer> limit, Shape shape)
            implements Indexed {
        static Block of(Array x, List<Index> index) {
            var start = new ArrayList<Integer>();
            var limit = new ArrayList<Integer>();
            var kept = new ArrayList<Integer>();
            for (int d = 0; d < index.size(); d++) {
                int size = x.type().shape().dim(d);
                switch (index.get(d)) {
                    case Index.Number number -> {
                        start.add(number.in(size, x, d));
                        limit.add(start.getLast() + 1);
                    }
                    case Index.Span span -> {
                        var inside = span.in(size);
                        start.add(inside.start());
                        limit.add(inside.limit());
                        kept.add(inside.length());
                    }
                    case Array _ -> throw new IllegalStateException("no block");
                }
            }
            return new Block(x, start, limit, new Shape(kept));
        }

        @Override
        public Array get() {
            return x.slice(start, limit).reshape(shape.toArray());
        }

        @Override
        public Array set(Array value) {
            require(
                    value.type().dtype() == x.type().dtype(),
                    "%s and %s differ in dtype; cast one of them, as in y.cast(DType.%s)",
                    x.type(),
                    value.type(),
                    x.type().dtype().name());
            var sizes = IntStream.range(0, start.size()).map(d -> limit.get(d) - start.get(d));
            var block = value.broadcastTo(shape.toArray()).reshape(sizes.toArray());
            return x.dynamicUpdate(block, start.stream().map(Array::scalar).toList());
        }

        private Array changed(BinaryOperator<Array> change, Array value) {
            return set(change.apply(get(), value));
        }

        @Override
        public Array add(Array value) {
            return changed(Array::add, value);
        }

        @Override
        public Array mul(Array value) {
            return changed(Array::mul, value);
        }

        @Override
        public Array max(Array value) {
            return changed(Array::maximum, value);
        }

        @Override
        public Array min(Array value) {
            return changed(Array::minimum, value);
        }
    }

    /// A part whose place is data: windows of a gather.
    ///
    /// @param x the array
    /// @param indices index vectors, along the last dimension
    /// @param map of the gather
    /// @param sizes of the windows
    record Picked(Array x, Array indices, IndexMap map, List<Integer> sizes) implements Indexed {
        static Picked of(Array x, List<Index> index) {
            int rank = index.size();
            // 1. dimensions whose index is a vector's component, and where they stand
            var picked = new ArrayList<Integer>();
            var indexed = new ArrayList<Integer>();
            var sizes = new ArrayList<Integer>();
            for (int d = 0; d < rank; d++) {
                int size = x.type().shape().dim(d);
                boolean span = index.get(d) instanceof Index.Span;
                int length = index.get(d) instanceof Index.Span s ? s.in(size).length() : 1;
                sizes.add(length);
                if (!span) {
                    picked.add(d);
                }
                if (!span || length < size) {
                    indexed.add(d);
                }
            }
            // 2. their vectors
            var components = indexed.stream().map(d -> component(x, index.get(d), d)).toList();
            var wide = components.stream().anyMatch(c -> c.type().dtype() == DType.I64);
            var dtype = wide ? DType.I64 : DType.I32;
            var shape = Apply.common("index", components);
            var vectors =
                    components.stream()
                            .map(c -> c.cast(dtype).broadcastTo(shape.toArray()))
                            .toList();
            var indices = Array.stack(-1, vectors);
            // 3. the result: windows around the indices' dimensions
            boolean together = picked.getLast() - picked.getFirst() == picked.size() - 1;
            int front = together ? picked.getFirst() : 0;
            var window =
                    IntStream.range(0, rank - picked.size())
                            .map(i -> i < front ? i : i + shape.rank())
                            .boxed()
                            .toList();
            var map = new IndexMap(window, picked, List.of(), List.of(), indexed, shape.rank());
            return new Picked(x, indices, map, sizes);
        }

        private static Array component(Array x, Index index, int dim) {
            int size = x.type().shape().dim(dim);
            return switch (index) {
                case Index.Number number -> Array.scalar(number.in(size, x, dim));
                case Index.Span span -> Array.scalar(span.in(size).start());
                case Array array -> {
                    require(
                            array.type().dtype().isInteger(),
                            "an index of %s is %s; cast it, as in i.cast(DType.I32), or choose with"
                                    + " where(...)",
                            x.type(),
                            array.type());
                    yield counted(array, size);
                }
            };
        }

        @Override
        public Array get() {
            return Apply.op(new Op.Gather(map, sizes), x, indices);
        }

        private Array scattered(ScatterKind kind, Array value) {
            var part = map.gathered(indices.type().shape(), sizes).toArray();
            return Apply.op(new Op.Scatter(kind, map), x, indices, value.broadcastTo(part));
        }

        @Override
        public Array set(Array value) {
            return scattered(ScatterKind.SET, value);
        }

        @Override
        public Array add(Array value) {
            return scattered(ScatterKind.ADD, value);
        }

        @Override
        public Array mul(Array value) {
            return scattered(ScatterKind.MULTIPLY, value);
        }

        @Override
        public Array max(Array value) {
            return scattered(ScatterKind.MAX, value);
        }

        @Override
        public Array min(Array value) {
            return scattered(ScatterKind.MIN, value);
        }
    }
}
