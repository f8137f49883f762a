package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Pair;

/// Decisions and loops that depend on values; made for `import static`.
///
/// ```java
/// var out = scan((Array h, Array x) -> { var n = h.add(x).tanh(); return pair(n, n); }, h0, xs);
/// ```
///
/// Each function is traced once, whatever the number of steps, and runs where its arguments are; it
/// may use arrays from around it. What is carried keeps structure, shapes and dtypes. Under
/// [Jit#jit] all of it becomes part of the one program. Source: `jax.lax`'s functions of these
/// names.
public final class Flow {
    private Flow() {}

    /// Calls one of two functions; the other does not run. Differentiable.
    ///
    /// @param predicate one truth value
    /// @param operand what both take
    /// @param onTrue called where it is true
    /// @param onFalse called where it is false; yields a tree of the same structure and types
    /// @return what the one yields
    /// @throws org.meshbook.elastic.MeshMismatch if they yield different trees; names the leaf
    /// @param <A> type of the operand
    /// @param <R> type of the result
    public static <A, R> R cond(
            Array predicate,
            A operand,
            Fn1<? super A, ? extends R> onTrue,
            Fn1<? super A, ? extends R> onFalse) {
        return called(
                "cond",
                args ->
                        FlowTrace.cond(
                                (Array) args.get(0),
                                args.get(1),
                                Jit.body(onTrue),
                                Jit.body(onFalse)),
                predicate,
                operand);
    }

    /// Repeats while a condition holds. Differentiable forwards ([Transform#jvp]), not backwards:
    /// for that use [#scan], or [#foriLoop] between two ints.
    ///
    /// @param cond yields one truth value
    /// @param body yields the next carry
    /// @param init first carry
    /// @return the first carry for which the condition does not hold
    /// @throws org.meshbook.elastic.MeshMismatch if the carry changes structure or types; names the
    ///   leaf
    /// @param <S> type of the carry
    public static <S> S whileLoop(Fn1<S, Array> cond, Fn1<S, S> body, S init) {
        return called(
                "whileLoop",
                args -> FlowTrace.whileLoop(Jit.body(cond), Jit.body(body), args.get(0)),
                init);
    }

    /// Repeats for each of `lower, lower + 1, ... upper - 1`. Differentiable.
    ///
    /// @param lower first number
    /// @param upper number after the last
    /// @param body of the number (an I32 scalar) and the carry; yields the next carry
    /// @param init first carry
    /// @return the last carry
    /// @param <S> type of the carry
    public static <S> S foriLoop(int lower, int upper, Fn2<Array, S, S> body, S init) {
        return called(
                "foriLoop", args -> FlowTrace.foriLoop(lower, upper, Jit.body(body), args), init);
    }

    /// Repeats between two numbers that are computed; a [#whileLoop], so not differentiable
    /// backwards.
    ///
    /// @param lower first number, an I32 scalar
    /// @param upper number after the last, an I32 scalar
    /// @param body of the number and the carry; yields the next carry
    /// @param init first carry
    /// @return the last carry
    /// @param <S> type of the carry
    public static <S> S foriLoop(Array lower, Array upper, Fn2<Array, S, S> body, S init) {
        var end =
                Flow.<Pair<Pair<Array, Array>, S>>whileLoop(
                        s -> s.first().first().lt(s.first().second()),
                        s -> {
                            var at = s.first().first();
                            var next = body.apply(at, s.second());
                            return new Pair<>(new Pair<>(at.add(1), s.first().second()), next);
                        },
                        new Pair<>(new Pair<>(lower, upper), init));
        return end.second();
    }

    /// Goes over the first dimension of arrays, carries a state along, and stacks what each step
    /// yields. Differentiable; each step's intermediate values are kept for the way back, unless
    /// the function is wrapped by [Transform#remat].
    ///
    /// @param f of the carry and one element of `xs`; yields the next carry, and what is stacked
    /// @param init first carry
    /// @param xs a tree of arrays `[length, ...]`
    /// @return the last carry, and the stacked arrays `[length, ...]`
    /// @throws org.meshbook.elastic.MeshMismatch if the carry changes structure or types, or
    ///   lengths differ; names the leaf
    /// @param <S> type of the carry
    /// @param <X> type of the elements
    /// @param <Y> type of what is stacked
    public static <S, X, Y> Pair<S, Y> scan(Fn2<S, X, Pair<S, Y>> f, S init, X xs) {
        return called(
                "scan",
                args -> FlowTrace.scan("scan", Jit.body(f), args.get(0), args.get(1)),
                init,
                xs);
    }

    // The structure of the result is the one that the function returned while it was traced.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <R> R called(String name, Compiled.Body body, Object... args) {
        return (R) Compiled.plain(name, body).call(List.of(args));
    }
}
