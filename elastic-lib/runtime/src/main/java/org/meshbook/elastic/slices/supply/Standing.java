package org.meshbook.elastic.slices.supply;

/// How a slice stands with its supply.
///
/// @param session whose it is
/// @param slice its index
/// @param job the job that stands for it in the queue
/// @param phase what was decided
/// @param position in the queue, from 1; 0 if it does not wait
/// @param text why, in one line, as whoever decides says it; may be empty
public record Standing(
        String session, int slice, String job, Phase phase, int position, String text) {
    /// What was decided.
    public enum Phase {
        /// It waits for its turn.
        WAITING,
        /// It may run: its processes are started.
        GRANTED,
        /// It is taken away: its processes are asked to end.
        REVOKED
    }
}
