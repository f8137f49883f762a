package org.meshbook.elastic.sim;

import java.time.Duration;

/// How long things take in a simulation.
///
/// @param detect from a process's end to the head's event
/// @param hang from a stop of a process to the head's event
/// @param restart from the loss to the next generation
/// @param probe one probe of healthy slices
/// @param copy a copy of arrays to host memory, and into an image
/// @param load a load from host memory, and from an image
/// @param transfer a put from host or mesh
public record SimTimes(
        Duration detect,
        Duration hang,
        Duration restart,
        Duration probe,
        Duration copy,
        Duration load,
        Duration transfer) {
    /// Times like those of processes on one machine.
    public static final SimTimes LOCAL =
            new SimTimes(
                    Duration.ofMillis(50),
                    Duration.ofMillis(750),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(2),
                    Duration.ofMillis(20),
                    Duration.ofMillis(30),
                    Duration.ofMillis(5));

    /// @param time from the loss to the next generation
    /// @return the changed copy
    public SimTimes restart(Duration time) {
        return new SimTimes(detect, hang, time, probe, copy, load, transfer);
    }

    /// @param time of a copy of arrays to host memory
    /// @return the changed copy
    public SimTimes copy(Duration time) {
        return new SimTimes(detect, hang, restart, probe, time, load, transfer);
    }

    /// @param time from a stop of a process to the head's event
    /// @return the changed copy
    public SimTimes hang(Duration time) {
        return new SimTimes(detect, time, restart, probe, copy, load, transfer);
    }
}
