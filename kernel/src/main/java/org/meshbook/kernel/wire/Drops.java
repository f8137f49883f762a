package org.meshbook.kernel.wire;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Logs what was dropped: the first of each kind at once, then one line a while with their number,
/// so that a peer who floods cannot fill a disk. Thread-safe.
public final class Drops {
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final int KINDS = 64;

    private final System.Logger log;
    private final LongSupplier clock;
    private final Map<String, Seen> kinds = new HashMap<>();

    private record Seen(long at, long since) {}

    /// @param log where to
    public Drops(System.Logger log) {
        this(log, System::nanoTime);
    }

    /// @param clock nanoseconds since whenever
    Drops(System.Logger log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
    }

    /// @param channel that it came by
    /// @param kind of fault; few different ones
    /// @param detail of this one
    public synchronized void add(Channel channel, String kind, String detail) {
        var key = channel + kind;
        var now = clock.getAsLong();
        var seen = kinds.get(key);
        if (seen != null && now - seen.at() < QUIET.toNanos()) {
            kinds.put(key, new Seen(seen.at(), seen.since() + 1));
            return;
        }
        if (kinds.size() >= KINDS) {
            kinds.clear();
        }
        kinds.put(key, new Seen(now, 0));
        var more = seen == null || seen.since() == 0 ? "" : " (and " + seen.since() + " before)";
        log.log(WARNING, "channel={0} dropped a message: {1}{2}", channel, detail, more);
    }
}
