package org.meshbook.elastic.manager;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.slices.LossKind;

/// Something that happened to the slices or to the program that runs on them; its text is one line
/// for people.
public sealed interface ElasticEvent {
    /// @return when
    Instant at();

    /// The head saw a slice go.
    ///
    /// @param slice index
    /// @param active whether the program used it
    /// @param kind how it was lost
    /// @param cause one line, as "process 4711 ended by signal 9"
    record SliceDown(Instant at, int slice, boolean active, LossKind kind, String cause)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at, "slice %d lost: %s%s", slice, cause, active ? "" : " (it was not in use)");
        }
    }

    /// A slice was asked to end and will be lost; until then it serves, so that the program can
    /// move off it.
    ///
    /// @param slice index
    /// @param active whether the program uses it
    /// @param within how long it serves on
    /// @param cause one line, as "process 4711 was asked to end"
    record Leaving(Instant at, int slice, boolean active, Duration within, String cause)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "slice %d leaves within %s: %s%s",
                    slice,
                    Words.time(within),
                    cause,
                    active ? "" : " (it is not in use)");
        }
    }

    /// A slice was asked to end, and what it holds is being put into an image; the program waits.
    ///
    /// @param slice index
    /// @param within how long the image may take; later the slice is lost
    /// @param cause one line, as "process 4711 was asked to end"
    record Suspending(Instant at, int slice, Duration within, String cause)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "slice %d is being suspended within %s: %s",
                    slice,
                    Words.time(within),
                    cause);
        }
    }

    /// What a slice held is in a complete image; the program waits until it is back.
    ///
    /// @param slice index
    /// @param bytes of the image
    record Suspended(Instant at, int slice, long bytes) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "slice %d is suspended (image of %s)", slice, Words.bytes(bytes));
        }
    }

    /// A slice is back from its image: every array there is what it was, and the program goes on.
    ///
    /// @param slice index
    record Resumed(Instant at, int slice) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "slice %d is resumed; nothing is lost", slice);
        }
    }

    /// The head saw a slice come, for the first time or again; it is probed next.
    ///
    /// @param slice index
    /// @param generation of its processes
    record SliceBack(Instant at, int slice, int generation) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "slice %d is back (generation %d)", slice, generation);
        }
    }

    /// Another slice took the place of a lost one, in the mesh too: it has the same index. What lay
    /// on the lost one stays lost.
    ///
    /// @param slice index
    /// @param generation of the new processes
    /// @param instead which one, as "an idle spare"
    record Swapped(Instant at, int slice, int generation, String instead) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "%s took the place of slice %d (generation %d)",
                    instead,
                    slice,
                    generation);
        }
    }

    /// Inactive slices answer and can be grown onto.
    ///
    /// @param slices indices that were not available before
    record Available(Instant at, Set<Integer> slices) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "%s available", Words.slicesAre(slices));
        }
    }

    /// A probe returned a wrong value: the slice is left out for a while, or until its processes
    /// are new.
    ///
    /// @param slice index
    /// @param time how long
    record Quarantined(Instant at, int slice, Duration time) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "slice %d computes wrong values: left out for %s or until it is restarted",
                    slice,
                    Words.time(time));
        }
    }

    /// Too few slices answer; told once and again when the number changes.
    ///
    /// @param wanted how many are needed
    /// @param found those that answer
    /// @param missing those that do not, and for how long
    record Waiting(Instant at, int wanted, Set<Integer> found, Map<Integer, Duration> missing)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "waiting for %d slices: %s; %s",
                    wanted,
                    Words.answer(found),
                    Words.lastSeen(missing));
        }
    }

    /// An attempt begins.
    ///
    /// @param attempt number, from 1
    /// @param active slices that it runs on
    record AttemptStarted(Instant at, int attempt, Set<Integer> active) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "attempt %d starts on %d slices %s",
                    attempt,
                    active.size(),
                    Words.list(active));
        }
    }

    /// An attempt ended with an elastic event: slices were lost, or it asked to start over on more.
    ///
    /// @param attempt number, from 1
    /// @param kind down or up
    /// @param slices those lost, or those gained
    /// @param step last completed step, or -1
    /// @param downs attempts in a row that a loss ended, this one included
    /// @param ups attempts so far that ended to grow
    /// @param sinceLastEvent time since the last such event, or since the start
    /// @param error what ended it
    record AttemptEnded(
            Instant at,
            int attempt,
            Kind kind,
            Set<Integer> slices,
            long step,
            int downs,
            int ups,
            Duration sinceLastEvent,
            ElasticException error)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "attempt %d ended%s: %s %s",
                    attempt,
                    step < 0 ? " before its first step" : " after step " + step,
                    Words.slices(slices),
                    kind == Kind.DOWN ? "lost" : "gained");
        }
    }

    /// The program moved onto more slices without a restart.
    ///
    /// @param gained slices
    /// @param active all active slices now
    /// @param took from the claim to the swap
    record Grew(Instant at, Set<Integer> gained, Set<Integer> active, Duration took)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "grew by %s to %d slices in %s",
                    Words.slices(gained),
                    active.size(),
                    Words.time(took));
        }
    }

    /// The program moved off slices that announced their end, without a restart.
    ///
    /// @param left slices
    /// @param active all active slices now
    /// @param took from the step boundary to the swap
    record Left(Instant at, Set<Integer> left, Set<Integer> active, Duration took)
            implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "left %s, %d slices now, in %s; no step is lost",
                    Words.slices(left),
                    active.size(),
                    Words.time(took));
        }
    }

    /// A growth was given up; the mesh is as it was.
    ///
    /// @param wanted slices
    /// @param cause one line
    record GrowthFailed(Instant at, Set<Integer> wanted, String cause) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "did not grow by %s: %s", Words.slices(wanted), cause);
        }
    }

    /// The program is back where it was.
    ///
    /// @param recovery what it cost
    record Recovered(Instant at, Recovery recovery) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(
                    at,
                    "recovered in %s: %s",
                    Words.time(recovery.total()),
                    recovery.phasesInWords());
        }
    }

    /// A state was restored, or none could be.
    ///
    /// @param step the step that it was saved after
    /// @param slices those it was read from; empty if no whole copy survives
    /// @param bytes read
    /// @param source what it was read from: "snapshot", or the name of a tier
    /// @param refused newer or nearer copies that were not taken, each with its reason in one line
    record Restored(
            Instant at,
            long step,
            Set<Integer> slices,
            long bytes,
            String source,
            List<String> refused)
            implements ElasticEvent {
        public Restored {
            refused = List.copyOf(refused);
        }

        /// From the snapshot that was asked for.
        public Restored(Instant at, long step, Set<Integer> slices, long bytes) {
            this(at, step, slices, bytes, "snapshot", List.of());
        }

        @Override
        public String toString() {
            return Words.line(at, "%s", outcome());
        }

        /// @return what came of it, without the time
        public String outcome() {
            return slices.isEmpty()
                    ? "no whole copy of the %s of step %d survives: starting over"
                            .formatted(source, step)
                    : "restored step %d (%s) from the %s on %s"
                            .formatted(step, Words.bytes(bytes), source, Words.slices(slices));
        }
    }

    /// A snapshot was given up; the one before it stays the latest.
    ///
    /// @param step the step that it was taken after
    /// @param cause one line
    record NotSaved(Instant at, long step, String cause) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "step %d is not saved: %s", step, cause);
        }
    }

    /// The retry ended without a value.
    ///
    /// @param attempt number of the last attempt
    /// @param cause one line
    record GaveUp(Instant at, int attempt, String cause) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "gave up after attempt %d: %s", attempt, cause);
        }
    }

    /// The retry ended with a value.
    ///
    /// @param attempt number of the last attempt
    record Finished(Instant at, int attempt) implements ElasticEvent {
        @Override
        public String toString() {
            return Words.line(at, "finished in attempt %d", attempt);
        }
    }

    /// Why an attempt ended.
    enum Kind {
        /// Slices were lost.
        DOWN,
        /// It asked to start over on more slices.
        UP
    }
}
