package org.meshbook.magics.daily.timing;

import java.util.Arrays;
import java.util.Optional;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.render.Amounts;

/// Runs one loop until its times settle, then measures it.
record Turns(Optional<Integer> turns, int runs) {
    /// One run should take so long that the clock's grain does not matter.
    private static final long ENOUGH = 100_000_000L;

    /// How long code may warm up; most is compiled much sooner.
    private static final long WARM = 1_000_000_000L;

    private static final long MOST_TURNS = 1L << 40;

    String measured(TimedLoop loop) throws Exception {
        var count = settled(loop);
        var before = Meter.allocated();
        var perTurn = new double[runs];
        for (var i = 0; i < runs; i++) {
            stopIfAsked();
            perTurn[i] = (double) loop.run(count) / count;
        }
        return text(perTurn, count, (double) (Meter.allocated() - before) / runs / count);
    }

    /// Finds how many turns are enough, which warms the code as well, and goes on until two times
    /// are alike.
    private long settled(TimedLoop loop) throws Exception {
        long count = turns.orElse(1);
        var began = System.nanoTime();
        var took = loop.run(count);
        while (turns.isEmpty() && took < ENOUGH && count < MOST_TURNS) {
            stopIfAsked();
            var wanted = took <= 0 ? count * 10 : count * Math.clamp(2 * ENOUGH / took, 2, 10);
            count = Math.min(MOST_TURNS, round(wanted));
            took = loop.run(count);
        }
        var last = took;
        while (System.nanoTime() - began < WARM) {
            stopIfAsked();
            var next = loop.run(count);
            if (turns.isEmpty() && next < ENOUGH / 2 && count < MOST_TURNS) {
                // It was compiled meanwhile. In small steps: code that is thrown out again, for
                // something that the compiler took for granted, runs a hundred times slower.
                count = round(count * Math.clamp(ENOUGH / Math.max(1, next), 2, 5));
                last = Long.MAX_VALUE;
            } else if (Math.abs(next - last) < 0.02 * last) {
                break;
            } else {
                last = next;
            }
        }
        return count;
    }

    /// 1, 2 or 5 and zeros.
    private static long round(long wanted) {
        var power = (long) Math.pow(10, Math.floor(Math.log10(wanted)));
        var first = wanted / power;
        return power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
    }

    private static void stopIfAsked() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("the cell was interrupted");
        }
    }

    private String text(double[] perTurn, long count, double bytes) {
        var best = Arrays.stream(perTurn).min().orElseThrow(() -> new MagicException("no runs"));
        var worst = Arrays.stream(perTurn).max().orElse(best);
        var mean = Arrays.stream(perTurn).average().orElse(best);
        var variance =
                Arrays.stream(perTurn).map(t -> (t - mean) * (t - mean)).sum()
                        / Math.max(1, runs - 1);
        var line =
                "best %s, mean %s ± %s a turn (%d runs of %,d turns), allocates %s a turn"
                        .formatted(
                                Amounts.time(best),
                                Amounts.time(mean),
                                Amounts.time(Math.sqrt(variance)),
                                runs,
                                count,
                                Amounts.size(bytes));
        if (worst > 1.5 * best) {
            line +=
                    "\nit varies: the slowest run took %.1f times the fastest; something else ran, or the garbage collector did"
                            .formatted(worst / best);
        }
        if (best < 1) {
            line +=
                    "\n"
                            + "under 1 ns a turn there is nothing left to measure: the compiler found"
                            + " the result beforehand, or that nobody needs it";
        }
        return line;
    }
}
