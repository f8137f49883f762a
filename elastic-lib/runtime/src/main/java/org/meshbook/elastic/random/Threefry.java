package org.meshbook.elastic.random;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// Threefry-2x32 with 20 rounds: two words of key and two of counter become two random words.
///
/// Source: Salmon and others, Parallel random numbers: as easy as 1, 2, 3,
/// https://doi.org/10.1145/2063384.2063405
final class Threefry {
    private static final int[][] ROTATIONS = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    private static final int GROUPS = 5;
    private static final int PARITY = 0x1BD1_1BDA;

    private Threefry() {}

    /// Two U32 arrays of one shape.
    record Words(Array high, Array low) {}

    /// The words for the counters `0, 1, ...` in row-major order.
    ///
    /// @param key U32[2]
    static Words counted(Array key, Shape shape) {
        if (key instanceof HostArray host) {
            return counted(host.bytes().getInt(0), host.bytes().getInt(Integer.BYTES), shape);
        }
        int size = Math.toIntExact(shape.size());
        var count = new Op.Iota(ArrayType.of(DType.U32, size), 0);
        var low = key.apply(count, List.of()).reshape(shape.toArray());
        return mix(key, Array.zeros(DType.U32), low);
    }

    /// @param key U32[2]
    /// @param high first word of each counter
    /// @param low second word
    static Words mix(Array key, Array high, Array low) {
        var first = key.at(0);
        var second = key.at(1);
        Array[] keys = {first, second, first.xor(second).xor(word(PARITY))};
        var x = high.add(first);
        var y = low.add(second);
        for (int group = 0; group < GROUPS; group++) {
            for (int rotation : ROTATIONS[group % 2]) {
                x = x.add(y);
                y = y.shiftLeft(rotation).or(y.shiftRightLogical(Integer.SIZE - rotation)).xor(x);
            }
            x = x.add(keys[(group + 1) % 3]);
            y = y.add(keys[(group + 2) % 3].add(word(group + 1)));
        }
        return new Words(x, y);
    }

    /// The same in Java's ints, which is faster than operation by operation.
    private static Words counted(int first, int second, Shape shape) {
        var high = HostArray.zeros(new ArrayType(DType.U32, shape));
        var low = HostArray.zeros(new ArrayType(DType.U32, shape));
        var highs = high.bytes().asIntBuffer();
        var lows = low.bytes().asIntBuffer();
        int[] keys = {first, second, first ^ second ^ PARITY};
        for (int i = 0; i < highs.limit(); i++) {
            int x = first;
            int y = i + second;
            for (int group = 0; group < GROUPS; group++) {
                for (int rotation : ROTATIONS[group % 2]) {
                    x += y;
                    y = Integer.rotateLeft(y, rotation) ^ x;
                }
                x += keys[(group + 1) % 3];
                y += keys[(group + 2) % 3] + group + 1;
            }
            highs.put(i, x);
            lows.put(i, y);
        }
        return new Words(high, low);
    }

    private static HostArray word(int bits) {
        var scalar = HostArray.zeros(ArrayType.of(DType.U32));
        scalar.bytes().putInt(bits);
        return scalar;
    }
}
