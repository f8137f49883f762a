package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Pair;

/// Functions made of functions, beside gradients ([Jit]); made for `import static`.
///
/// All of them compose, in any order, with each other, with [Jit] and with [Flow]: each traces the
/// function it is given to a graph and makes another graph of that. They yield traced functions, so
/// that wrapping them in [Jit#jit] is only needed around more than one call. Source: JAX's
/// transformations of these names.
public final class Transform {
    private Transform() {}

    // ---- many examples

    /// Makes a function of many examples from a function of one.
    ///
    /// The arguments' arrays get one more dimension, 0, that counts the examples, and so do the
    /// result's; [Axes] says otherwise. What the function uses from around it is the same for all.
    /// A `whileLoop` inside runs until its last example is done, a `cond` computes both branches.
    ///
    /// ```java
    /// var perExample = vmap(grad((Params p, Array x) -> loss(p, x)), Axes.in(Axes.NONE, 0));
    /// ```
    ///
    /// @param f of one example
    /// @return the function of many
    /// @throws org.meshbook.elastic.MeshMismatch if arrays differ in the number of examples; names
    ///   the leaves and both shapes
    /// @param <A> type of argument 1
    /// @param <R> type of the result
    public static <A, R> Jitted.Of1<A, R> vmap(Fn1<A, R> f) {
        return vmap(f, Axes.in(0));
    }

    /// Makes a function of many examples from a function of one; see [#vmap(Fn1)].
    ///
    /// @param f of one example
    /// @param axes one an argument, and one for the result
    /// @return the function of many
    /// @param <A> type of argument 1
    /// @param <R> type of the result
    public static <A, R> Jitted.Of1<A, R> vmap(Fn1<A, R> f, Axes axes) {
        return new Jitted.Of1<>(mapped(Jit.body(f), axes));
    }

    /// @param f of one example
    /// @return the function of many, all arguments mapped along axis 0; see [#vmap(Fn1)]
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    public static <A, B, R> Jitted.Of2<A, B, R> vmap(Fn2<A, B, R> f) {
        return vmap(f, Axes.in(0, 0));
    }

    /// Makes a function of many examples from a function of one; see [#vmap(Fn1)].
    ///
    /// @param f of one example
    /// @param axes one an argument, and one for the result
    /// @return the function of many
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    public static <A, B, R> Jitted.Of2<A, B, R> vmap(Fn2<A, B, R> f, Axes axes) {
        return new Jitted.Of2<>(mapped(Jit.body(f), axes));
    }

    /// @param f of one example
    /// @return the function of many, all arguments mapped along axis 0; see [#vmap(Fn1)]
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <R> type of the result
    public static <A, B, C, R> Jitted.Of3<A, B, C, R> vmap(Fn3<A, B, C, R> f) {
        return vmap(f, Axes.in(0, 0, 0));
    }

    /// Makes a function of many examples from a function of one; see [#vmap(Fn1)].
    ///
    /// @param f of one example
    /// @param axes one an argument, and one for the result
    /// @return the function of many
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <R> type of the result
    public static <A, B, C, R> Jitted.Of3<A, B, C, R> vmap(Fn3<A, B, C, R> f, Axes axes) {
        return new Jitted.Of3<>(mapped(Jit.body(f), axes));
    }

    /// @param f of one example
    /// @return the function of many, all arguments mapped along axis 0; see [#vmap(Fn1)]
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    /// @param <R> type of the result
    public static <A, B, C, D, R> Jitted.Of4<A, B, C, D, R> vmap(Fn4<A, B, C, D, R> f) {
        return vmap(f, Axes.in(0, 0, 0, 0));
    }

    /// Makes a function of many examples from a function of one; see [#vmap(Fn1)].
    ///
    /// @param f of one example
    /// @param axes one an argument, and one for the result
    /// @return the function of many
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    /// @param <R> type of the result
    public static <A, B, C, D, R> Jitted.Of4<A, B, C, D, R> vmap(Fn4<A, B, C, D, R> f, Axes axes) {
        return new Jitted.Of4<>(mapped(Jit.body(f), axes));
    }

    private static Compiled mapped(Compiled.Body body, Axes axes) {
        return Compiled.plain("vmap", args -> Mapping.of(body, axes, args));
    }

    // ---- derivatives in one direction, and back

    /// Differentiates in one direction (forward mode).
    ///
    /// @param f a function
    /// @param primal where
    /// @param tangent the direction, a tree like `primal`; what stands for integers is not used
    /// @return `f(primal)`, and how it changes: the Jacobian times the tangent, zeros for integers
    /// @throws org.meshbook.elastic.MeshMismatch if the tangent is not like the primal; names the
    ///   leaf
    /// @param <A> type of the argument
    /// @param <R> type of the result
    public static <A, R> Pair<R, R> jvp(Fn1<A, R> f, A primal, A tangent) {
        var body = Jit.body(f);
        return called(
                "jvp", args -> Derivatives.jvp(body, args.get(0), args.get(1)), primal, tangent);
    }

    /// Differentiates in one direction (forward mode); see [#jvp(Fn1, Object, Object)].
    ///
    /// @param f a function of one array
    /// @param primal where
    /// @param tangent the direction, of the same type
    /// @return `f(primal)`, and the Jacobian times the tangent
    /// @param <R> type of the result
    public static <R> Pair<R, R> jvp(Fn1<Array, R> f, Array primal, Array tangent) {
        var body = Jit.body(f);
        return called(
                "jvp", args -> Derivatives.jvp(body, args.get(0), args.get(1)), primal, tangent);
    }

    /// Computes a function and keeps what its way back needs (reverse mode).
    ///
    /// @param f a function
    /// @param primal where
    /// @return `f(primal)`, and the function from a cotangent of that to one of `primal`: the
    ///   cotangent times the Jacobian, zeros for integers
    /// @param <A> type of the argument
    /// @param <R> type of the result
    // Trees come back as they went in, so the cast holds.
    @SuppressWarnings("unchecked")
    public static <A, R> ValueAndPullback<A, R> vjp(Fn1<A, R> f, A primal) {
        return (ValueAndPullback<A, R>) Derivatives.vjp(Jit.body(f), primal);
    }

    /// Computes a function and keeps what its way back needs; see [#vjp(Fn1, Object)].
    ///
    /// @param f a function of one array
    /// @param primal where
    /// @return `f(primal)`, and the way back
    /// @param <R> type of the result
    // Trees come back as they went in, so the cast holds.
    @SuppressWarnings("unchecked")
    public static <R> ValueAndPullback<Array, R> vjp(Fn1<Array, R> f, Array primal) {
        return (ValueAndPullback<Array, R>) Derivatives.vjp(Jit.body(f), primal);
    }

    /// The Jacobian, column by column: one [#jvp] for each number of the argument, all at once.
    ///
    /// @param f from one float array to one
    /// @return yields `[shape of the result..., shape of the argument...]`
    public static Jitted.Of1<Array, Array> jacfwd(Fn1<Array, Array> f) {
        return new Jitted.Of1<>(
                Compiled.plain(
                        "jacfwd",
                        args -> {
                            var x = (Array) args.getFirst();
                            var columns =
                                    vmap((Array t) -> jvp(f, x, t).second(), Axes.in(0).out(-1))
                                            .apply(basis("jacfwd", x));
                            return columns.reshape(joined(columns.shape().dims(), -1, x));
                        }));
    }

    /// The Jacobian, row by row: one [#vjp] for each number of the result, all at once.
    ///
    /// @param f from one float array to one
    /// @return yields `[shape of the result..., shape of the argument...]`
    public static Jitted.Of1<Array, Array> jacrev(Fn1<Array, Array> f) {
        return new Jitted.Of1<>(
                Compiled.plain(
                        "jacrev",
                        args -> {
                            var x = (Array) args.getFirst();
                            var made = vjp(f, x);
                            var rows =
                                    vmap((Array ct) -> made.pullback().apply(ct))
                                            .apply(basis("jacrev", made.value()));
                            return rows.reshape(joined(made.value().shape().dims(), 0, x));
                        }));
    }

    /// Second derivatives: forward over reverse.
    ///
    /// @param f from one float array to one float scalar
    /// @return yields `[shape of the argument..., shape of the argument...]`
    public static Jitted.Of1<Array, Array> hessian(Fn1<Array, Array> f) {
        return jacfwd(Jit.grad(f));
    }

    /// `[n, shape...]`: each number of an array alone.
    private static Array basis(String asker, Array x) {
        UsageError.require(
                x.dtype().isFloat(),
                "%s: %s has no derivative; cast it, as in x.cast(DType.F32)",
                asker,
                x.type());
        int n = Math.toIntExact(x.shape().size());
        var numbers = Array.iota(DType.I32, n);
        var eye = numbers.expandDims(1).eq(numbers).cast(x.dtype());
        return eye.reshape(x.shape().after(n).toArray());
    }

    /// Sizes without the last if `drop` is -1, then the argument's.
    private static int[] joined(List<Integer> dims, int drop, Array x) {
        var all = new java.util.ArrayList<>(dims.subList(0, dims.size() + drop));
        all.addAll(x.shape().dims());
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    // ---- derivatives of one's own

    /// Gives a function a derivative of its own, for reverse mode.
    ///
    /// @param f the function
    /// @param fwd yields what `f` yields, and what `bwd` needs
    /// @param bwd of that and a cotangent like the result; yields one like the argument
    /// @return the function; [#jvp] of it transposes `bwd`, which must be linear in the cotangent
    /// @throws org.meshbook.elastic.MeshMismatch if the three do not fit each other; names the leaf
    /// @param <A> type of the argument
    /// @param <R> type of the result
    /// @param <X> type of what is kept
    public static <A, R, X> Jitted.Of1<A, R> customVjp(
            Fn1<A, R> f, Fn1<A, Pair<R, X>> fwd, Fn2<X, R, A> bwd) {
        var back = Jit.body(bwd);
        return new Jitted.Of1<>(
                Derivatives.custom(Jit.body(f), Jit.body(fwd), args -> List.of(back.apply(args))));
    }

    /// Gives a function of two arguments a derivative of its own, for reverse mode.
    ///
    /// @param f the function
    /// @param fwd yields what `f` yields, and what `bwd` needs
    /// @param bwd of that and a cotangent like the result; yields one like each argument
    /// @return the function
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    /// @param <X> type of what is kept
    public static <A, B, R, X> Jitted.Of2<A, B, R> customVjp(
            Fn2<A, B, R> f, Fn2<A, B, Pair<R, X>> fwd, Fn2<X, R, Pair<A, B>> bwd) {
        var back = Jit.body(bwd);
        return new Jitted.Of2<>(
                Derivatives.custom(
                        Jit.body(f),
                        Jit.body(fwd),
                        args -> {
                            var both = (Pair<?, ?>) back.apply(args);
                            return List.of(both.first(), both.second());
                        }));
    }

    /// Trades computation for memory: on the way back the function is computed again from its
    /// arguments, in place of keeping what it computed on the way forward. Values and gradients
    /// stay the same. JAX calls it `checkpoint`, too.
    ///
    /// @param f a function, as one layer of many
    /// @return the same function
    /// @param <A> type of argument 1
    /// @param <R> type of the result
    public static <A, R> Jitted.Of1<A, R> remat(Fn1<A, R> f) {
        return new Jitted.Of1<>(again(Jit.body(f)));
    }

    /// @param f a function
    /// @return the same function, computed again on the way back; see [#remat(Fn1)]
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    public static <A, B, R> Jitted.Of2<A, B, R> remat(Fn2<A, B, R> f) {
        return new Jitted.Of2<>(again(Jit.body(f)));
    }

    /// @param f a function
    /// @return the same function, computed again on the way back; see [#remat(Fn1)]
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <R> type of the result
    public static <A, B, C, R> Jitted.Of3<A, B, C, R> remat(Fn3<A, B, C, R> f) {
        return new Jitted.Of3<>(again(Jit.body(f)));
    }

    /// @param f a function
    /// @return the same function, computed again on the way back; see [#remat(Fn1)]
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    /// @param <R> type of the result
    public static <A, B, C, D, R> Jitted.Of4<A, B, C, D, R> remat(Fn4<A, B, C, D, R> f) {
        return new Jitted.Of4<>(again(Jit.body(f)));
    }

    private static Compiled again(Compiled.Body body) {
        return Compiled.plain("remat", args -> Derivatives.remat(body, args));
    }

    // The structure of the result is the one that the function returned while it was traced.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <R> R called(String name, Compiled.Body body, Object... args) {
        return (R) Compiled.plain(name, body).call(List.of(args));
    }
}
