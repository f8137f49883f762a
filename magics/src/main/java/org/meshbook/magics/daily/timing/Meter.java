package org.meshbook.magics.daily.timing;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.magics.render.Amounts;

/// Sums what the snippets of one thread take: time, CPU, allocation. One thread.
final class Meter implements Cell.Around {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long nanos;
    private long cpuNanos;
    private long bytes;
    private int depth;

    static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    @Override
    public @Nullable Object run(Callable<@Nullable Object> snippet) throws Exception {
        if (depth > 0) {
            return snippet.call();
        }
        depth++;
        var bytesBefore = allocated();
        var cpuBefore = THREADS.getCurrentThreadCpuTime();
        var began = System.nanoTime();
        try {
            return snippet.call();
        } finally {
            nanos += System.nanoTime() - began;
            cpuNanos += THREADS.getCurrentThreadCpuTime() - cpuBefore;
            bytes += allocated() - bytesBefore;
            depth--;
        }
    }

    /// @param wholeNanos from the first compilation to the end of the last run
    /// @return one line
    String text(long wholeNanos) {
        return "ran %s, CPU %s, allocated %s (this thread); compiling took %s more"
                .formatted(
                        Amounts.time(nanos),
                        Amounts.time(cpuNanos),
                        Amounts.size(bytes),
                        Amounts.time(Math.max(0, wholeNanos - nanos)));
    }
}
