package org.meshbook.kernel.jshell;

import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whose work the calling thread does: its stack tells, where a thread serves several cells.
public final class Work {
    private static final Set<String> POOLS =
            Set.of(
                    "java.util.concurrent.ThreadPoolExecutor",
                    "java.util.concurrent.ForkJoinPool",
                    "java.util.TimerThread");

    /// A thread's outermost code never changes, so it is looked at once.
    private static final ThreadLocal<Boolean> SHARED = ThreadLocal.withInitial(Work::isInPool);

    private Work() {}

    /// @return whether the calling thread takes work from others, one after the other
    public static boolean isShared() {
        return !Thread.currentThread().isVirtual() && SHARED.get();
    }

    private static boolean isInPool() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> POOLS.contains(frame.getClassName())));
    }

    /// @return JShell's number of the snippet that the outermost frame of a cell's code belongs to;
    ///   null if there is none
    public static @Nullable String outermost() {
        return StackWalker.getInstance().walk(Work::outermost);
    }

    private static @Nullable String outermost(Stream<StackWalker.StackFrame> frames) {
        return frames.map(StackWalker.StackFrame::getClassName)
                .filter(CellControl::isCellClass)
                .reduce((_, outer) -> outer)
                .map(KeptVariables::index)
                .orElse(null);
    }
}
