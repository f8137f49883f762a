package org.meshbook.elastic.jit;

import java.util.Arrays;
import java.util.List;
import org.meshbook.elastic.mesh.PartitionSpec;
import org.meshbook.elastic.mesh.Sharding;

/// A traced function: called like the function itself, it runs where its arguments lie.
///
/// The first call with new structures, types or plain values traces; later ones do not. Arguments
/// on a mesh run there and the result lies there; with host arrays only it runs in this process.
/// Calls never wait for a device. Thread-safe.
public abstract sealed class Jitted {
    private final Compiled compiled;

    Jitted(Compiled compiled) {
        this.compiled = compiled;
    }

    /// @return how often the function was traced so far
    public int traces() {
        return compiled.traces();
    }

    // The structure of the result is the one that the function returned while it was traced.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <R> R call(Object... args) {
        return (R) compiled.call(List.of(args));
    }

    Compiled constrained(PartitionSpec... specs) {
        return Compiled.plain(args -> OutShardings.of(compiled.call(args), List.of(specs)));
    }

    static PartitionSpec[] specs(Sharding... shardings) {
        return Arrays.stream(shardings).map(Sharding::spec).toArray(PartitionSpec[]::new);
    }

    Lowered lowered(Object... args) {
        return compiled.lower(List.of(args));
    }

    /// A traced function of 1 argument.
    ///
    /// @param <A> type of argument 1
    /// @param <R> type of the result
    public static final class Of1<A, R> extends Jitted implements Fn1<A, R> {
        Of1(Compiled compiled) {
            super(compiled);
        }

        @Override
        public R apply(A a) {
            return call(a);
        }

        /// How the result is to be cut.
        ///
        /// @param specs one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of1<A, R> outShardings(PartitionSpec... specs) {
            return new Of1<>(constrained(specs));
        }

        /// How the result is to be cut; the mesh is the one of the arguments.
        ///
        /// @param shardings one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of1<A, R> outShardings(Sharding... shardings) {
            return outShardings(specs(shardings));
        }

        /// Traces and partitions without running.
        ///
        /// @param a argument 1
        /// @return the program, which prints as StableHLO
        public Lowered lower(A a) {
            return lowered(a);
        }
    }

    /// A traced function of 2 arguments.
    ///
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <R> type of the result
    public static final class Of2<A, B, R> extends Jitted implements Fn2<A, B, R> {
        Of2(Compiled compiled) {
            super(compiled);
        }

        @Override
        public R apply(A a, B b) {
            return call(a, b);
        }

        /// How the result is to be cut.
        ///
        /// @param specs one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of2<A, B, R> outShardings(PartitionSpec... specs) {
            return new Of2<>(constrained(specs));
        }

        /// How the result is to be cut; the mesh is the one of the arguments.
        ///
        /// @param shardings one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of2<A, B, R> outShardings(Sharding... shardings) {
            return outShardings(specs(shardings));
        }

        /// Traces and partitions without running.
        ///
        /// @param a argument 1
        /// @param b argument 2
        /// @return the program, which prints as StableHLO
        public Lowered lower(A a, B b) {
            return lowered(a, b);
        }
    }

    /// A traced function of 3 arguments.
    ///
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <R> type of the result
    public static final class Of3<A, B, C, R> extends Jitted implements Fn3<A, B, C, R> {
        Of3(Compiled compiled) {
            super(compiled);
        }

        @Override
        public R apply(A a, B b, C c) {
            return call(a, b, c);
        }

        /// How the result is to be cut.
        ///
        /// @param specs one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of3<A, B, C, R> outShardings(PartitionSpec... specs) {
            return new Of3<>(constrained(specs));
        }

        /// How the result is to be cut; the mesh is the one of the arguments.
        ///
        /// @param shardings one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of3<A, B, C, R> outShardings(Sharding... shardings) {
            return outShardings(specs(shardings));
        }

        /// Traces and partitions without running.
        ///
        /// @param a argument 1
        /// @param b argument 2
        /// @param c argument 3
        /// @return the program, which prints as StableHLO
        public Lowered lower(A a, B b, C c) {
            return lowered(a, b, c);
        }
    }

    /// A traced function of 4 arguments.
    ///
    /// @param <A> type of argument 1
    /// @param <B> type of argument 2
    /// @param <C> type of argument 3
    /// @param <D> type of argument 4
    /// @param <R> type of the result
    public static final class Of4<A, B, C, D, R> extends Jitted implements Fn4<A, B, C, D, R> {
        Of4(Compiled compiled) {
            super(compiled);
        }

        @Override
        public R apply(A a, B b, C c, D d) {
            return call(a, b, c, d);
        }

        /// How the result is to be cut.
        ///
        /// @param specs one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of4<A, B, C, D, R> outShardings(PartitionSpec... specs) {
            return new Of4<>(constrained(specs));
        }

        /// How the result is to be cut; the mesh is the one of the arguments.
        ///
        /// @param shardings one for all of it, or one a leaf
        /// @return the function with results cut so
        public Of4<A, B, C, D, R> outShardings(Sharding... shardings) {
            return outShardings(specs(shardings));
        }

        /// Traces and partitions without running.
        ///
        /// @param a argument 1
        /// @param b argument 2
        /// @param c argument 3
        /// @param d argument 4
        /// @return the program, which prints as StableHLO
        public Lowered lower(A a, B b, C c, D d) {
            return lowered(a, b, c, d);
        }
    }
}
