package org.meshbook.elastic.slices;

import java.time.Instant;

/// A change of membership, as the head saw it.
public sealed interface SliceEvent {
    /// @return when the head saw it
    Instant at();

    /// @return index of the slice
    int slice();

    /// @return the slice's generation: the one lost, or the one that joined
    int generation();

    /// A slice is lost; every array that had a shard there is poisoned.
    ///
    /// @param kind how it was lost
    /// @param cause one line, as "process 4711 ended by signal 9"
    record Lost(Instant at, int slice, int generation, LossKind kind, String cause)
            implements SliceEvent {}

    /// A slice will be lost, as it was asked to end; until then it serves as before.
    ///
    /// @param until when it will be gone at the latest
    /// @param cause one line, as "process 4711 was asked to end"
    record Leaving(Instant at, int slice, int generation, Instant until, String cause)
            implements SliceEvent {}

    /// A slice was asked to end, and what it holds is being put into an image; nothing is
    /// dispatched until it is back. An image that is not complete in time makes it a [Lost].
    ///
    /// @param until when the image must be complete
    /// @param cause one line, as "process 4711 was asked to end"
    record Draining(Instant at, int slice, int generation, Instant until, String cause)
            implements SliceEvent {}

    /// What a slice held is in a complete image, and its processes end.
    ///
    /// @param bytes of the image
    record Suspended(Instant at, int slice, int generation, long bytes) implements SliceEvent {}

    /// A slice is back from its image, as the same generation: every array there is what it was.
    record Resumed(Instant at, int slice, int generation) implements SliceEvent {}

    /// A slice is there, for the first time or again; it has not been probed yet.
    ///
    /// @param instead what took the place of the lost one, with its index, as "an idle spare";
    ///   empty if it is back by itself
    record Joined(Instant at, int slice, int generation, String instead) implements SliceEvent {
        /// The same slice, not another one in its place.
        public Joined(Instant at, int slice, int generation) {
            this(at, slice, generation, "");
        }

        /// @return whether another one took its place
        public boolean swapped() {
            return !instead.isEmpty();
        }
    }
}
