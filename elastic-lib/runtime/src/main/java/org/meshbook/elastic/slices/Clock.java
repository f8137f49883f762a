package org.meshbook.elastic.slices;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/// Time, and the threads that wait for it, as a port, so that the simulator can make hours pass in
/// milliseconds.
///
/// Code over the ports of this room never blocks in another way than by a clock, and starts no
/// thread in another way than [#start].
public interface Clock {
    /// @return the machine's clock; one for the process
    static Clock system() {
        return SystemClock.INSTANCE;
    }

    /// @return wall time, for people
    Instant now();

    /// @return monotonic time from an arbitrary start, for durations
    Duration elapsed();

    /// Waits, or ends early when [#wake()] is called.
    ///
    /// @param time how long at most
    /// @throws InterruptedException if the thread is interrupted
    void sleep(Duration time) throws InterruptedException;

    /// Waits until a condition holds; no [#wake()] that follows a change is missed.
    ///
    /// @param atMost how long at most
    /// @param until tested at once, after each [#wake()] and at the end; quick, takes no lock
    /// @return whether it holds
    /// @throws InterruptedException if the thread is interrupted
    boolean await(Duration atMost, BooleanSupplier until) throws InterruptedException;

    /// Ends every sleep that is under way and has every [#await] test its condition.
    void wake();

    /// Starts a daemon thread whose waits this clock knows of.
    ///
    /// @param name the thread's name
    /// @param work what it does; an exception that leaves it is logged
    /// @return the thread's handle
    Task start(String name, Runnable work);

    /// A thread that a clock started.
    interface Task {
        /// @return whether its work has ended
        boolean done();

        /// Interrupts it.
        void interrupt();

        /// @return whether the calling thread is this one
        boolean current();
    }
}
