package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// A function that a seed determines: each call with the same types does the same operations.
record RandomFunction(long seed, int steps) implements Fn1<List<Array>, List<Array>> {
    @Override
    public List<Array> apply(List<Array> inputs) {
        var random = new Random(seed);
        var pool = new ArrayList<>(inputs);
        for (int i = 0; i < steps; i++) {
            var next = step(random, pool);
            if (next.shape().size() <= 4000) {
                pool.add(next.tanh());
            }
        }
        return pool.subList(inputs.size(), pool.size());
    }

    private static Array step(Random random, List<Array> pool) {
        var x = pick(random, pool);
        int rank = x.shape().rank();
        if (rank == 0) {
            return x.broadcastTo(6, 12).add(pick(random, pool).sum());
        }
        int dim = random.nextInt(rank);
        if (x.shape().dim(dim) < 3) {
            return x.cos();
        }
        return switch (random.nextInt(20)) {
            case 0 -> x.sin().mul(2);
            case 1 -> x.add(partner(random, pool, x));
            case 2 -> x.mul(partner(random, pool, x));
            case 3 -> x.gt(0).select(x, partner(random, pool, x));
            case 4 -> x.transpose(shuffled(random, rank));
            case 5 -> x.sum(dim);
            case 6 -> x.max(dim);
            case 7 -> x.sub(x.meanKeepDims(dim));
            case 8 -> x.softmax(dim);
            case 9 -> x.argmax(dim).cast(DType.F64);
            case 10 -> x.reverse(dim);
            case 11 -> x.slice(dim, 0, x.shape().dim(dim)).slice(dim, 1, x.shape().dim(dim));
            case 12 -> {
                var low = zeros(rank);
                low.set(dim, 1);
                yield x.slice(dim, 0, x.shape().dim(dim) - 1).pad(low, zeros(rank), 0.5);
            }
            case 13 -> Array.concat(dim, x, x.cos()).slice(dim, 2, 2 + x.shape().dim(dim));
            case 14 -> reshaped(random, x);
            case 15 -> product(random, x, pick(random, pool));
            case 16 -> {
                int size = x.shape().dim(dim);
                var indices = pick(random, pool).abs().mul(size).floor().cast(DType.I32);
                yield x.take(
                        indices.sum(IntStream.range(1, indices.shape().rank()).toArray()), dim);
            }
            case 17 -> scatter(random, x, dim, pool);
            case 18 -> broadcast(random, x);
            default -> convolution(random, x);
        };
    }

    private static Array pick(Random random, List<Array> pool) {
        return pool.get(random.nextInt(pool.size()));
    }

    /// Another array of the same shape, or one that broadcasts to it.
    private static Array partner(Random random, List<Array> pool, Array x) {
        var same = pool.stream().filter(y -> y.shape().equals(x.shape())).toList();
        var other = same.get(random.nextInt(same.size()));
        return switch (random.nextInt(4)) {
            case 0 -> other.sumKeepDims(random.nextInt(x.shape().rank()));
            case 1 -> Array.normal(random.nextInt(9), x.shape().toArray()).cast(DType.F64);
            default -> other;
        };
    }

    private static List<Integer> zeros(int rank) {
        return new ArrayList<>(Collections.nCopies(rank, 0));
    }

    private static int[] shuffled(Random random, int rank) {
        var dims = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        Collections.shuffle(dims, random);
        return dims.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Array reshaped(Random random, Array x) {
        var dims = new ArrayList<>(x.shape().dims());
        int at = random.nextInt(dims.size());
        switch (random.nextInt(4)) {
            case 0 -> dims.add(at, 1);
            case 1 -> {
                if (dims.size() > 1) {
                    int merged = dims.remove(0) * dims.remove(0);
                    dims.addFirst(merged);
                }
            }
            case 2 -> {
                if (dims.get(at) % 2 == 0) {
                    int size = dims.get(at);
                    dims.set(at, random.nextBoolean() ? 2 : size / 2);
                    dims.add(at + 1, size / dims.get(at));
                }
            }
            default -> Collections.shuffle(dims, random);
        }
        return x.reshape(dims.stream().mapToInt(Integer::intValue).toArray());
    }

    /// Contracts a dimension of equal size, batches another if there is one.
    private static Array product(Random random, Array x, Array y) {
        var contract = equalDims(x.shape(), y.shape());
        if (contract.isEmpty()) {
            return x;
        }
        var first = contract.get(random.nextInt(contract.size()));
        var batch = new ArrayList<int[]>();
        if (random.nextBoolean()) {
            contract.stream()
                    .filter(p -> p[0] != first[0] && p[1] != first[1])
                    .findFirst()
                    .ifPresent(batch::add);
        }
        return x.dotGeneral(
                y,
                batch.stream().map(p -> p[0]).toList(),
                batch.stream().map(p -> p[1]).toList(),
                List.of(first[0]),
                List.of(first[1]));
    }

    private static List<int[]> equalDims(Shape a, Shape b) {
        var pairs = new ArrayList<int[]>();
        for (int i = 0; i < a.rank(); i++) {
            for (int j = 0; j < b.rank(); j++) {
                if (a.dim(i) == b.dim(j)) {
                    pairs.add(new int[] {i, j});
                }
            }
        }
        return pairs;
    }

    private static Array scatter(Random random, Array x, int dim, List<Array> pool) {
        var source = pick(random, pool).flatten();
        int size = x.shape().dim(dim);
        var indices = source.mul(size).floor().cast(DType.I32);
        var updates = x.take(indices, dim).mul(0.5);
        return x.scatterAdd(indices, updates, dim);
    }

    private static Array broadcast(Random random, Array x) {
        int rank = x.shape().rank();
        var dims = new ArrayList<Integer>(x.shape().dims());
        int at = random.nextInt(rank + 1);
        dims.add(at, 6);
        var mapped = IntStream.range(0, rank).map(i -> i < at ? i : i + 1).boxed().toList();
        return x.apply(new Op.BroadcastInDim(new Shape(dims), mapped), List.of(x));
    }

    private static Array convolution(Random random, Array x) {
        if (x.shape().rank() != 4) {
            return x.cos();
        }
        int channels = x.shape().dim(-1);
        var kernel = x.sum(0, 1, 2).reshape(1, 1, channels, 1).broadcastTo(2, 2, channels, 6);
        return x.conv2d(
                kernel.mul(0.01), 1 + random.nextInt(2), random.nextBoolean() ? "SAME" : "VALID");
    }
}
