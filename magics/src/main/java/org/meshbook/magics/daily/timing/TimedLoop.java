package org.meshbook.magics.daily.timing;

/// The loop that `%timeit` compiles around the user's code. Public because a cell's class
/// implements it.
///
/// What the code gives is consumed so that the compiler cannot drop it: it is compared with two
/// volatile fields, as JMH's `Blackhole` does (its source, `Blackhole.java`, explains why that is
/// enough and cheap). The volatile reads also make each turn read the user's variables anew.
@FunctionalInterface
public interface TimedLoop {
    /// @param turns how often the code runs
    /// @return how long that took, in nanoseconds
    /// @throws Exception what the code threw
    long run(long turns) throws Exception;

    /// Two values that nobody knows to differ, but they do.
    final class Sink {
        private static volatile long one = System.nanoTime();
        private static volatile long other = one + 1;
        private static volatile Object hole = new Object();

        private Sink() {}

        private static void take(long value) {
            if ((value ^ one) == (value ^ other)) {
                one = value;
            }
        }
    }

    /// @param value consumed
    static void keep(long value) {
        Sink.take(value);
    }

    /// @param value consumed
    static void keep(double value) {
        Sink.take(Double.doubleToRawLongBits(value));
    }

    /// @param value consumed
    static void keep(boolean value) {
        Sink.take(value ? 1 : 0);
    }

    /// @param value consumed
    static void keep(@org.jspecify.annotations.Nullable Object value) {
        if (value == Sink.hole) {
            Sink.hole = new Object();
        }
    }
}
