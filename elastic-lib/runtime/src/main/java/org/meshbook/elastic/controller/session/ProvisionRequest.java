package org.meshbook.elastic.controller.session;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.Optional;
import org.meshbook.elastic.slices.Priority;

/// What slices to provision.
///
/// @param slices number of slices, at least 1
/// @param hosts worker processes a slice, at least 1; 0 takes what the queue's slices have
/// @param devices devices a host, at least 1; 0 takes what the queue's slices have
/// @param engine name of the engine, `onnx` unless chosen
/// @param threads engine threads a worker; 0 takes max(1, cores / workers)
/// @param restartDelay from a loss to the start of the next generation
/// @param heartbeat interval of heartbeats; three missed ones mean hung
/// @param notice how long a slice that is asked to end (SIGTERM) serves on, unless the program lets
///   it go before
/// @param spares idle slices beside them, each of which takes the place of a lost one at once
/// @param suspend whether a slice that is asked to end is put into an image within the notice, and
///   comes back with it after the restart delay; else the program moves off it
/// @param priority beside other sessions: without an idle spare, a lost slice takes the place of
///   one with a lower priority, unless it comes back by itself sooner than that one could be gone
/// @param queue the queue through which the slices come and go; empty if they are there at once
/// @param within how long to wait until all slices are healthy; not of slices that come through a
///   queue
/// @param forced skips the head's check against the cores and memory of its machine
public record ProvisionRequest(
        int slices,
        int hosts,
        int devices,
        String engine,
        int threads,
        Duration restartDelay,
        Duration heartbeat,
        Duration notice,
        int spares,
        boolean suspend,
        Priority priority,
        Optional<QueueRequest> queue,
        Duration within,
        boolean forced) {
    private static final String ENGINE = "onnx";
    private static final Duration SHORTEST_HEARTBEAT = Duration.ofMillis(10);

    public ProvisionRequest {
        require(slices >= 1, "%d slices asked for; ask for 1 or more", slices);
        int least = queue.isPresent() ? 0 : 1;
        require(hosts >= least, "%d hosts a slice asked for; ask for 1 or more", hosts);
        require(devices >= least, "%d devices a host asked for; ask for 1 or more", devices);
        require(!engine.isBlank(), "an engine needs a name, as onnx or reference; none was given");
        require(threads >= 0, "%d engine threads asked for; ask for 1 or more", threads);
        require(!restartDelay.isNegative(), "a restart delay of %s is negative", restartDelay);
        require(
                heartbeat.compareTo(SHORTEST_HEARTBEAT) >= 0,
                "a heartbeat of %s is too short; take 10 ms or more",
                heartbeat);
        require(!notice.isNegative(), "a notice of %s is negative", notice);
        require(spares >= 0, "%d spare slices asked for; ask for 0 or more", spares);
        require(
                queue.isEmpty() || (spares == 0 && !suspend),
                "slices that come through a queue have neither spares nor images: the queue decides"
                        + " when they return; leave --spares and --suspend out");
    }

    /// @param slices number of slices
    /// @return one host and one device each, restart after 2 s, heartbeat 1 s, notice 10 s, no
    ///   spares, within 60 s
    public static ProvisionRequest of(int slices) {
        return new ProvisionRequest(
                slices,
                1,
                1,
                ENGINE,
                0,
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                0,
                false,
                Priority.MEDIUM,
                Optional.empty(),
                Duration.ofSeconds(60),
                false);
    }

    /// @param hosts see [#hosts()]
    /// @return a changed copy
    public ProvisionRequest withHosts(int hosts) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param devices see [#devices()]
    /// @return a changed copy
    public ProvisionRequest withDevices(int devices) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param engine see [#engine()]
    /// @return a changed copy
    public ProvisionRequest withEngine(String engine) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param threads see [#threads()]
    /// @return a changed copy
    public ProvisionRequest withThreads(int threads) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param restartDelay see [#restartDelay()]
    /// @return a changed copy
    public ProvisionRequest withRestartDelay(Duration restartDelay) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param heartbeat see [#heartbeat()]
    /// @return a changed copy
    public ProvisionRequest withHeartbeat(Duration heartbeat) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param notice see [#notice()]
    /// @return a changed copy
    public ProvisionRequest withNotice(Duration notice) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param spares see [#spares()]
    /// @return a changed copy
    public ProvisionRequest withSpares(int spares) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param suspend see [#suspend()]
    /// @return a changed copy
    public ProvisionRequest withSuspend(boolean suspend) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param priority see [#priority()]
    /// @return a changed copy
    public ProvisionRequest withPriority(Priority priority) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @param chosen see [#queue()]
    /// @return a changed copy
    public ProvisionRequest through(QueueRequest chosen) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                Optional.of(chosen),
                within,
                forced);
    }

    /// @param within see [#within()]
    /// @return a changed copy
    public ProvisionRequest within(Duration within) {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                forced);
    }

    /// @return a copy that skips the head's check
    public ProvisionRequest force() {
        return new ProvisionRequest(
                slices,
                hosts,
                devices,
                engine,
                threads,
                restartDelay,
                heartbeat,
                notice,
                spares,
                suspend,
                priority,
                queue,
                within,
                true);
    }
}
