package org.meshbook.elastic.engine.xla;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;

/// Results that stay where XLA put them, until no array reads them any more.
///
/// The garbage collector finds out when that is, but does not know how much memory hangs on the few
/// small objects that it sees. As Java does for direct buffers, it is asked to look when much more
/// is held than after its last look.
final class DeviceMemory {
    private static final long GROWTH_BYTES = 128L << 20;
    private static final long PATIENCE_MILLIS = 20;

    private static final AtomicLong HELD = new AtomicLong();
    private static final AtomicLong LIMIT = new AtomicLong(GROWTH_BYTES);

    private DeviceMemory() {}

    /// @param type of the array
    /// @param pointer to its bytes
    /// @param free called once, from any thread, when nothing reads them any more
    /// @return an array of these bytes
    static HostArray array(ArrayType type, MemorySegment pointer, Runnable free) {
        long bytes = type.bytes();
        makeRoom(HELD.addAndGet(bytes));
        var memory =
                pointer.reinterpret(
                        bytes,
                        Arena.ofAuto(),
                        _ -> {
                            free.run();
                            freed(bytes);
                        });
        return HostArray.wrap(type, memory.asByteBuffer());
    }

    private static void freed(long bytes) {
        synchronized (HELD) {
            HELD.addAndGet(-bytes);
            HELD.notifyAll();
        }
    }

    /// What lives on after a look may double before the next one.
    private static void makeRoom(long held) {
        long limit = LIMIT.get();
        if (held <= limit || !LIMIT.compareAndSet(limit, Long.MAX_VALUE)) {
            return;
        }
        System.gc();
        try {
            awaitFreed(limit / 2);
        } catch (InterruptedException e) {
            // The run goes on: stopping is not for this place to do.
            Thread.currentThread().interrupt();
        } finally {
            long left = HELD.get();
            LIMIT.set(left + Math.max(left, GROWTH_BYTES));
        }
    }

    /// Freeing happens on a thread of its own: waits until little is held, or nothing is freed for
    /// a while.
    private static void awaitFreed(long little) throws InterruptedException {
        synchronized (HELD) {
            long before = Long.MAX_VALUE;
            while (HELD.get() > little && HELD.get() < before) {
                before = HELD.get();
                HELD.wait(PATIENCE_MILLIS);
            }
        }
    }
}
