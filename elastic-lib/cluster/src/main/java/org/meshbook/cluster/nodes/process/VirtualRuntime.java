package org.meshbook.cluster.nodes.process;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/// Plays containers on a clock: simulations and forecasts only, never where a person runs a pod.
public final class VirtualRuntime implements ContainerRuntime {
    private final InstantSource clock;
    private final Function<Launch, Script> scripts;

    /// What a container does.
    ///
    /// @param runs how long, if nobody stops it
    /// @param code its exit code then
    /// @param ends how long it takes to end once it is asked to
    public record Script(Duration runs, int code, Duration ends) {
        /// @param runs how long
        /// @param code exit code
        /// @return one that ends at once when asked to
        public static Script of(Duration runs, int code) {
            return new Script(runs, code, Duration.ZERO);
        }
    }

    /// @param clock the simulation's time
    /// @param scripts what each container does
    public VirtualRuntime(InstantSource clock, Function<Launch, Script> scripts) {
        this.clock = clock;
        this.scripts = scripts;
    }

    @Override
    public Running start(Launch launch, Runnable ended) {
        return new Played(scripts.apply(launch), clock.instant());
    }

    @Override
    public void close() {}

    private final class Played implements Running {
        private static final int TERMINATED = 143;
        private final Script script;
        private Instant end;
        private int code;

        Played(Script script, Instant start) {
            this.script = script;
            this.code = script.code();
            this.end = start.plus(script.runs());
        }

        @Override
        public Optional<Exit> exit() {
            return clock.instant().isBefore(end)
                    ? Optional.empty()
                    : Optional.of(Exit.of(code, end));
        }

        @Override
        public Optional<Instant> due() {
            return Optional.of(end);
        }

        @Override
        public void terminate() {
            endAt(clock.instant().plus(script.ends()), TERMINATED);
        }

        @Override
        public void kill() {
            endAt(clock.instant(), Exit.KILLED);
        }

        private void endAt(Instant sooner, int how) {
            if (exit().isEmpty() && sooner.isBefore(end)) {
                end = sooner;
                code = how;
            }
        }
    }
}
