package org.meshbook.elastic.slices;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Says who makes arrays, so that whoever runs out of memory is told whose they are.
///
/// The kernel knows which cell a thread belongs to, and this library does not know the kernel; so
/// whoever runs the program sets a supplier. Thread-safe.
public final class Owners {
    private static final AtomicReference<Supplier<String>> SUPPLIER =
            new AtomicReference<>(() -> "");

    private Owners() {}

    /// @param supplier asked at each array's birth, on the thread that makes it: as "cell 5"; empty
    ///   if it does not know. Must not block
    public static void set(Supplier<String> supplier) {
        SUPPLIER.set(supplier);
    }

    /// @return who makes arrays on this thread; empty if nobody knows
    public static String now() {
        return SUPPLIER.get().get();
    }
}
