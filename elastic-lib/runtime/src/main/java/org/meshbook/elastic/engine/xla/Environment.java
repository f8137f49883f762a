package org.meshbook.elastic.engine.xla;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// This process's variables as native code sees them; Java's own view keeps what it began with.
final class Environment {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SET =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("setenv"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final int OVERWRITE = 1;

    private Environment() {}

    /// Must not run beside native code that reads variables.
    static void set(String name, String value) {
        try (var arena = Arena.ofConfined()) {
            int status = set(arena.allocateFrom(name), arena.allocateFrom(value));
            if (status != 0) {
                throw new IllegalStateException("setenv refuses " + name);
            }
        }
    }

    private static int set(MemorySegment name, MemorySegment value) {
        try {
            return (int) SET.invokeExact(name, value, OVERWRITE);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("native calls throw nothing", e);
        }
    }
}
