package org.meshbook.elastic.slices;

import java.time.Duration;
import java.time.Instant;

/// Time as a port, so that the simulator can make hours pass in milliseconds.
public interface Clock {
    /// @return wall time, for people
    Instant now();

    /// @return monotonic time from an arbitrary start, for durations
    Duration elapsed();

    /// Waits, or ends early when [#wake()] is called.
    ///
    /// @param time how long at most
    /// @throws InterruptedException if the thread is interrupted
    void sleep(Duration time) throws InterruptedException;

    /// Ends every sleep that is under way.
    void wake();
}
