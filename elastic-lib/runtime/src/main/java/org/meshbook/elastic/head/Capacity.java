package org.meshbook.elastic.head;

import static org.meshbook.elastic.UsageError.require;

import java.lang.management.ManagementFactory;
import org.meshbook.elastic.wire.proto.ProvisionSlices;

/// How many workers this machine can bear.
final class Capacity {
    private static final int WORKERS = 64;
    private static final int FORCED_WORKERS = 1024;
    private static final int DEVICES = 256;
    private static final long WORKER_BYTES = 128L << 20;

    private Capacity() {}

    static void check(Lease lease, ProvisionSlices what, int running) {
        require(
                lease.slices().isEmpty(),
                "%d slices asked for, but %d are provisioned already; release them first, as with"
                        + " %%slices --release",
                what.getSlices(),
                lease.slices().size());
        require(
                what.getSlices() >= 1 && what.getHosts() >= 1 && what.getDevices() >= 1,
                "%d slices of %d hosts of %d devices asked for; ask for 1 or more of each",
                what.getSlices(),
                what.getHosts(),
                what.getDevices());
        require(
                what.getDevices() <= DEVICES,
                "%d devices a host asked for; ask for %d or fewer",
                what.getDevices(),
                DEVICES);
        require(
                what.getSpares() >= 0 && what.getSpares() <= WORKERS,
                "%d spare slices asked for; ask for 0 to %d",
                what.getSpares(),
                WORKERS);
        long workers = ((long) what.getSlices() + what.getSpares()) * what.getHosts();
        long room = room(what.getForced()) - running;
        require(
                workers <= room,
                "%d slices asked for, which are %d worker processes; this machine (%d cores,"
                        + " %d GiB) has room for %d; ask for fewer",
                what.getSlices(),
                workers,
                cores(),
                memoryBytes() >> 30,
                Math.max(0, room));
    }

    /// @return engine threads a worker
    static int threads(ProvisionSlices what) {
        return what.getThreads() > 0
                ? what.getThreads()
                : Math.max(1, cores() / (what.getSlices() * what.getHosts()));
    }

    private static long room(boolean forced) {
        return forced ? FORCED_WORKERS : Math.min(WORKERS, memoryBytes() / WORKER_BYTES);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
    }
}
