package org.meshbook.elastic.random;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// A key of random numbers, as JAX's `jax.random.key`: the same key always draws the same numbers.
///
/// Use a key once, and [#split] it for more. A record of one array, so it is a tree: functions
/// under `jit` take and return it, and it can be saved and restored. Numbers are bit-equal to JAX's
/// with `jax_threefry_partitionable` on, its default since 0.5; `normal` and what is made of
/// logarithms are equal to a few units of the last place.
///
/// @param data two words, U32[2]
public record Key(Array data) {
    private static final ArrayType WORDS = ArrayType.of(DType.U32, 2);

    /// @throws UsageError if the array is not U32[2]
    public Key {
        UsageError.require(
                data.type().equals(WORDS),
                "a key is %s, %s is given; use Key.of(seed)",
                WORDS,
                data.type());
    }

    /// @param seed any number; those below 2^32 give the key that JAX gives, larger and negative
    ///   ones the key that it gives with `jax_enable_x64`
    /// @return the key
    public static Key of(long seed) {
        var data = HostArray.zeros(WORDS);
        data.bytes().putInt((int) (seed >>> Integer.SIZE)).putInt((int) seed);
        return new Key(data);
    }

    /// @return two new keys
    public List<Key> split() {
        return split(2);
    }

    /// @param count how many
    /// @return new keys, independent of each other and of this one's numbers
    public List<Key> split(int count) {
        var words = Threefry.counted(data, Shape.of(count));
        var keys = new ArrayList<Key>();
        for (int i = 0; i < count; i++) {
            keys.add(new Key(Array.stack(0, List.of(words.high().at(i), words.low().at(i)))));
        }
        return keys;
    }

    /// @param number of a step, a device and the like; its low 32 bits count
    /// @return a new key for that number
    public Key foldIn(long number) {
        var word = HostArray.zeros(ArrayType.of(DType.U32));
        word.bytes().putInt((int) number);
        return foldIn(word);
    }

    /// @param number a scalar of an integer type, which may be traced
    /// @return a new key for that number
    public Key foldIn(Array number) {
        UsageError.require(
                number.dtype().isInteger() && number.shape().rank() == 0,
                "foldIn takes a whole number, %s is given; cast it or take one element",
                number.type());
        var words = Threefry.mix(data, Array.zeros(DType.U32), number.cast(DType.U32));
        return new Key(Array.stack(0, List.of(words.high(), words.low())));
    }

    /// @param dims sizes
    /// @return random bits as U32
    public Array bits(int... dims) {
        return bits(DType.U32, dims);
    }

    /// @param dtype U8, U16, U32 or U64
    /// @param dims sizes
    /// @return random bits
    public Array bits(DType dtype, int... dims) {
        UsageError.require(
                dtype.isUnsigned(), "bits are U8, U16, U32 or U64, %s is asked for", dtype);
        var words = Threefry.counted(data, Shape.of(dims));
        return dtype == DType.U64
                ? words.high()
                        .cast(DType.U64)
                        .shiftLeft(Integer.SIZE)
                        .or(words.low().cast(DType.U64))
                : words.high().xor(words.low()).cast(dtype);
    }

    /// @param dims sizes
    /// @return F32 numbers spread evenly over `[0, 1)`
    public Array uniform(int... dims) {
        return uniform(DType.F32, 0, 1, dims);
    }

    /// @param dtype a float type
    /// @param low least number
    /// @param high numbers are less
    /// @param dims sizes
    /// @return numbers spread evenly
    public Array uniform(DType dtype, double low, double high, int... dims) {
        return Draws.uniform(this, dtype, low, high, dims);
    }

    /// @param dims sizes
    /// @return F32 numbers of the standard normal distribution
    public Array normal(int... dims) {
        return normal(DType.F32, dims);
    }

    public Array normal(DType dtype, int... dims) {
        return Draws.normal(this, dtype, dims);
    }

    /// @param p probability of true
    /// @param dims sizes
    /// @return truth values
    public Array bernoulli(double p, int... dims) {
        return uniform(dims).lt(p);
    }

    /// @param p probabilities of true, of a float type
    /// @return truth values of that shape
    public Array bernoulli(Array p) {
        return uniform(p.dtype(), 0, 1, p.shape().toArray()).lt(p);
    }

    /// @param dims sizes
    /// @return F32 numbers of the Gumbel distribution, as JAX's mode `low`
    public Array gumbel(int... dims) {
        return Draws.gumbel(this, DType.F32, dims);
    }

    /// @param count how many
    /// @return the I32 numbers `0, 1, ... count - 1` in random order
    public Array permutation(int count) {
        return Draws.permutation(this, count);
    }

    /// @param array at least one dimension
    /// @return the array with the order of its first dimension drawn anew
    public Array permutation(Array array) {
        UsageError.require(
                array.shape().rank() >= 1,
                "permutation takes rows, %s has none; use permutation(count)",
                array.type());
        return array.take(permutation(array.shape().dim(0)), 0);
    }

    /// Draws indices along the last axis by unnormalised logarithms of their probabilities.
    ///
    /// @param logits `[..., n]`, of a float type
    /// @return I32 indices `[...]`
    public Array categorical(Array logits) {
        return Draws.categorical(this, logits, new Shape(logits.shape().dims()));
    }

    /// @param logits `[n]`, of a float type
    /// @param count how many to draw
    /// @return I32 indices `[count]`
    public Array categorical(Array logits, int count) {
        UsageError.require(
                logits.shape().rank() == 1,
                "categorical draws %d times from one row, %s has more; leave the count away",
                count,
                logits.type());
        return Draws.categorical(this, logits, Shape.of(count, logits.shape().dim(0)));
    }

    /// @param low least number
    /// @param high numbers are less
    /// @param dims sizes
    /// @return I32 numbers
    public Array randint(int low, int high, int... dims) {
        return Draws.randint(this, DType.I32, low, high, dims);
    }

    /// @param dtype I32 or I64
    public Array randint(DType dtype, long low, long high, int... dims) {
        return Draws.randint(this, dtype, low, high, dims);
    }
}
