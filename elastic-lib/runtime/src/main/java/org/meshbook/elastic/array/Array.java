package org.meshbook.elastic.array;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.meshbook.elastic.UsageError;

/// An n-dimensional array: on this host, placed on a mesh, or a name in a function being traced.
///
/// Operations never block and never change an array. Thread-safe. Words and rules are NumPy's and
/// JAX's, promotion of dtypes too.
public non-sealed interface Array
        extends Elementwise,
                Functions,
                Reducing,
                Reshaping,
                Arranging,
                Products,
                Windows,
                Sorting,
                Cumulative,
                Indexing,
                Index {
    /// @return element type and shape; known without touching a device
    ArrayType type();

    /// The value, copied to this process.
    ///
    /// Blocks until the devices that compute it are done.
    ///
    /// @return the value
    /// @throws org.meshbook.elastic.UsageError if the array is being traced and has no value
    HostArray toHost();

    /// Which operand's `apply` is asked: host 0, placed 1, traced 2 and up, the innermost trace
    /// highest.
    ///
    /// @return the rank of this kind of array
    int precedence();

    /// Applies an operation; called on the operand of the highest precedence, or on the array that
    /// a lower operand is being broadcast to meet.
    ///
    /// @param op the operation
    /// @param operands all operands
    /// @return the result
    Array apply(Op op, List<Array> operands);

    /// @return sizes of the dimensions
    default Shape shape() {
        return type().shape();
    }

    /// @return element type
    default DType dtype() {
        return type().dtype();
    }

    /// The value of an array of one element; blocks until it is there.
    ///
    /// @return the value as a double; truth is 0 or 1
    /// @throws UsageError if there are more elements, or the array is being traced
    default double item() {
        UsageError.require(
                type().shape().size() == 1,
                "item: %s has %d elements; take one first, as in x.at(0)",
                type(),
                type().shape().size());
        return toHost().get(0);
    }

    // ---- making arrays

    static HostArray of(float... values) {
        var array = HostArray.zeros(ArrayType.of(DType.F32, values.length));
        array.bytes().asFloatBuffer().put(FloatBuffer.wrap(values));
        return array;
    }

    static HostArray of(float[][] rows) {
        return Literals.rows(rows);
    }

    /// @param values become F64; give floats, as `1f`, for F32
    /// @return the array
    static HostArray of(double... values) {
        return Literals.fill(ArrayType.of(DType.F64, values.length), i -> values[i]);
    }

    static HostArray of(int... values) {
        return Literals.fill(ArrayType.of(DType.I32, values.length), i -> values[i]);
    }

    static HostArray of(boolean... values) {
        return Literals.fill(ArrayType.of(DType.BOOL, values.length), i -> values[i] ? 1 : 0);
    }

    static HostArray scalar(float value) {
        return Literals.full(DType.F32, value, Shape.SCALAR);
    }

    /// @param value becomes F64; give a float, as `1f`, for F32
    /// @return the scalar
    static HostArray scalar(double value) {
        return Literals.full(DType.F64, value, Shape.SCALAR);
    }

    static HostArray scalar(int value) {
        return Literals.full(DType.I32, value, Shape.SCALAR);
    }

    /// @param dims sizes
    /// @return zeros in F32
    static HostArray zeros(int... dims) {
        return zeros(DType.F32, dims);
    }

    static HostArray zeros(DType dtype, int... dims) {
        return HostArray.zeros(ArrayType.of(dtype, dims));
    }

    /// @param dims sizes
    /// @return ones in F32
    static HostArray ones(int... dims) {
        return ones(DType.F32, dims);
    }

    static HostArray ones(DType dtype, int... dims) {
        return full(dtype, 1, dims);
    }

    static HostArray full(DType dtype, double value, int... dims) {
        return Literals.full(dtype, value, Shape.of(dims));
    }

    /// @param stop count
    /// @return `0, 1, ... stop - 1` in I32
    static HostArray arange(int stop) {
        return arange(0, stop, 1);
    }

    static HostArray arange(int start, int stop, int step) {
        return Literals.arange(DType.I32, start, stop, step);
    }

    /// @param dtype element type
    /// @param count how many
    /// @return `0, 1, ... count - 1`
    static HostArray iota(DType dtype, int count) {
        return Literals.arange(dtype, 0, count, 1);
    }

    /// @param start first number
    /// @param stop last number
    /// @param count how many
    /// @return F32 numbers at equal distances
    static HostArray linspace(double start, double stop, int count) {
        return linspace(DType.F32, start, stop, count);
    }

    static HostArray linspace(DType dtype, double start, double stop, int count) {
        return Literals.linspace(dtype, start, stop, count);
    }

    /// @param n size
    /// @return the unit matrix in F32
    static HostArray eye(int n) {
        return eye(DType.F32, n, n);
    }

    static HostArray eye(DType dtype, int rows, int columns) {
        return Literals.fill(
                ArrayType.of(dtype, rows, columns), i -> i / columns == i % columns ? 1 : 0);
    }

    /// Coordinates of a grid, as NumPy's `meshgrid`: the first varies along the second axis.
    ///
    /// @param x along the second axis
    /// @param y along the first axis
    /// @return both, shaped `[y, x]`
    static Pair<Array, Array> meshgrid(Array x, Array y) {
        int columns = Math.toIntExact(x.type().shape().size());
        int rows = Math.toIntExact(y.type().shape().size());
        return new Pair<>(
                x.flatten().broadcastTo(rows, columns),
                y.flatten().expandDims(-1).broadcastTo(rows, columns));
    }

    /// Draws from the standard normal distribution; the same seed gives the same numbers.
    ///
    /// @param seed of the generator
    /// @param dims sizes
    /// @return F32 numbers
    static HostArray normal(long seed, int... dims) {
        return Literals.random(seed, Shape.of(dims), RandomGenerator::nextGaussian);
    }

    /// Draws evenly from `[0, 1)`; the same seed gives the same numbers.
    ///
    /// @param seed of the generator
    /// @param dims sizes
    /// @return F32 numbers
    static HostArray uniform(long seed, int... dims) {
        return Literals.random(seed, Shape.of(dims), RandomGenerator::nextFloat);
    }

    // ---- joining arrays

    /// @param axis the dimension along which they are joined
    /// @param parts at least one, equal in all other dimensions
    /// @return the joined array
    static Array concat(int axis, List<? extends Array> parts) {
        UsageError.require(!parts.isEmpty(), "concat: there is nothing to join");
        var first = parts.getFirst();
        var op = new Op.Concatenate(Apply.axis(first, axis));
        return parts.size() == 1 ? first : Apply.op(op, parts.toArray(Array[]::new));
    }

    static Array concat(int axis, Array... parts) {
        return concat(axis, Arrays.asList(parts));
    }

    /// @param axis place of the new dimension
    /// @param parts of one type
    /// @return the parts along a new dimension
    static Array stack(int axis, List<? extends Array> parts) {
        return concat(axis, parts.stream().map(part -> part.expandDims(axis)).toList());
    }

    /// A sum of products, with a letter for each dimension: NumPy's `einsum` without dots.
    ///
    /// `"ij,jk->ik"` is a product of matrices, `"bij,bjk->bik"` one for each `b`, `"ii->i"` a
    /// diagonal. Letters that the result lacks are summed over; without `->` the result has those
    /// that stand once, in alphabetical order.
    ///
    /// @param spec letters of each array, and of the result
    /// @param arrays one for each group of letters
    /// @return the sum of products
    /// @throws org.meshbook.elastic.MeshMismatch if a letter means two sizes; names both types
    static Array einsum(String spec, Array... arrays) {
        return Einsum.of(spec, arrays);
    }

    /// @param condition truth values
    /// @param yes taken where true
    /// @param no taken where false
    /// @return the choice, broadcast over all three
    static Array where(Array condition, Array yes, Array no) {
        return condition.select(yes, no);
    }

    static Array where(Array condition, Array yes, double no) {
        return condition.select(yes, Apply.scalarLike(yes, no));
    }

    static Array where(Array condition, double yes, Array no) {
        return condition.select(Apply.scalarLike(no, yes), no);
    }
}
