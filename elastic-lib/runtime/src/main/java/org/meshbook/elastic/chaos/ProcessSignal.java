package org.meshbook.elastic.chaos;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.meshbook.elastic.UsageError;

/// Signals to processes of this machine, by the system's `kill`: quick enough for twenty a second,
/// which a process each would not be.
public enum ProcessSignal {
    /// Ends at once.
    KILL(9, 9),
    /// Asks to end.
    TERM(15, 15),
    /// Hangs.
    STOP(19, 17),
    /// Ends the hanging.
    CONT(18, 19);

    private final int linux;
    private final int mac;

    ProcessSignal(int linux, int mac) {
        this.linux = linux;
        this.mac = mac;
    }

    /// @param pid a process, never a group
    /// @return whether it was there and could be signalled
    /// @throws UsageError if this system has no such signals
    public boolean sendTo(long pid) {
        UsageError.require(pid > 1, "a signal to process %d; name one process above 1", pid);
        try {
            return (int) Call.KILL.invokeExact((int) pid, number()) == 0;
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new UsageError("process %d cannot be signalled: %s", pid, e);
        }
    }

    private int number() {
        return switch (System.getProperty("os.name")) {
            case "Linux" -> linux;
            case "Mac OS X" -> mac;
            default ->
                    throw new UsageError(
                            "signals of %s are not known here; use Linux or macOS",
                            System.getProperty("os.name"));
        };
    }

    private static final class Call {
        static final MethodHandle KILL = find();

        private static MethodHandle find() {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("kill"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        }
    }
}
