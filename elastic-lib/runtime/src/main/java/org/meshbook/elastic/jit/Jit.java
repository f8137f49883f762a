package org.meshbook.elastic.jit;

import org.meshbook.elastic.array.Array;

/// Makes traced functions and their gradients; made for `import static`.
///
/// ```java
/// var step = jit((Params p, Batch b) -> {
///     var g = valueAndGrad(Digits::loss).apply(p, b);
///     return pair(sgd(p, g.grad(), 0.1), g.value());
/// });
/// ```
///
/// A function is traced with arrays that have types but no values, so a Java `if` on a value is an
/// error: use [org.meshbook.elastic.array.Array#where]. Host arrays that a function captures become
/// constants at its first trace. Lambdas need explicit parameter types. Source: JAX's `jit`, `grad`
/// and `value_and_grad`.
public final class Jit {
    private Jit() {}

    /// @param f a function of arrays
    /// @return the function, traced at its first call
    /// @param <A> type of argument 1
    /// @param <R> type of the result
    public static <A, R> Jitted.Of1<A, R> jit(Fn1<A, R> f) {
        return new Jitted.Of1<>(Compiled.plain(body(f)));
    }

    /// @param f a function of arrays
    /// @return the function, traced at its first call
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    public static <A, B, R> Jitted.Of2<A, B, R> jit(Fn2<A, B, R> f) {
        return new Jitted.Of2<>(Compiled.plain(body(f)));
    }

    /// @param f a function of arrays
    /// @return the function, traced at its first call
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <R> type of the result
    public static <A, B, C, R> Jitted.Of3<A, B, C, R> jit(Fn3<A, B, C, R> f) {
        return new Jitted.Of3<>(Compiled.plain(body(f)));
    }

    /// @param f a function of arrays
    /// @return the function, traced at its first call
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    /// @param <R> type of the result
    public static <A, B, C, D, R> Jitted.Of4<A, B, C, D, R> jit(Fn4<A, B, C, D, R> f) {
        return new Jitted.Of4<>(Compiled.plain(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its value, and its gradient with respect to the first argument, a tree like
    ///   it
    /// @param <A> type of argument 1
    public static <A> Jitted.Of1<A, ValueAndGrad<A>> valueAndGrad(Fn1<A, Array> f) {
        return new Jitted.Of1<>(Compiled.valueAndGrad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its value, and its gradient with respect to the first argument, a tree like
    ///   it
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    public static <A, B> Jitted.Of2<A, B, ValueAndGrad<A>> valueAndGrad(Fn2<A, B, Array> f) {
        return new Jitted.Of2<>(Compiled.valueAndGrad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its value, and its gradient with respect to the first argument, a tree like
    ///   it
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    public static <A, B, C> Jitted.Of3<A, B, C, ValueAndGrad<A>> valueAndGrad(
            Fn3<A, B, C, Array> f) {
        return new Jitted.Of3<>(Compiled.valueAndGrad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its value, and its gradient with respect to the first argument, a tree like
    ///   it
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    public static <A, B, C, D> Jitted.Of4<A, B, C, D, ValueAndGrad<A>> valueAndGrad(
            Fn4<A, B, C, D, Array> f) {
        return new Jitted.Of4<>(Compiled.valueAndGrad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its gradient with respect to the first argument, a tree like it
    /// @param <A> type of argument 1
    public static <A> Jitted.Of1<A, A> grad(Fn1<A, Array> f) {
        return new Jitted.Of1<>(Compiled.grad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its gradient with respect to the first argument, a tree like it
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    public static <A, B> Jitted.Of2<A, B, A> grad(Fn2<A, B, Array> f) {
        return new Jitted.Of2<>(Compiled.grad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its gradient with respect to the first argument, a tree like it
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    public static <A, B, C> Jitted.Of3<A, B, C, A> grad(Fn3<A, B, C, Array> f) {
        return new Jitted.Of3<>(Compiled.grad(body(f)));
    }

    /// @param f yields one float scalar
    /// @return yields its gradient with respect to the first argument, a tree like it
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    public static <A, B, C, D> Jitted.Of4<A, B, C, D, A> grad(Fn4<A, B, C, D, Array> f) {
        return new Jitted.Of4<>(Compiled.grad(body(f)));
    }

    // Arguments come back from their trees as they went in, so the casts hold.

    @SuppressWarnings("unchecked") // see above
    static <A, R> Compiled.Body body(Fn1<A, R> f) {
        return args -> f.apply((A) args.get(0));
    }

    @SuppressWarnings("unchecked") // see above
    static <A, B, R> Compiled.Body body(Fn2<A, B, R> f) {
        return args -> f.apply((A) args.get(0), (B) args.get(1));
    }

    @SuppressWarnings("unchecked") // see above
    static <A, B, C, R> Compiled.Body body(Fn3<A, B, C, R> f) {
        return args -> f.apply((A) args.get(0), (B) args.get(1), (C) args.get(2));
    }

    @SuppressWarnings("unchecked") // see above
    static <A, B, C, D, R> Compiled.Body body(Fn4<A, B, C, D, R> f) {
        return args -> f.apply((A) args.get(0), (B) args.get(1), (C) args.get(2), (D) args.get(3));
    }
}
