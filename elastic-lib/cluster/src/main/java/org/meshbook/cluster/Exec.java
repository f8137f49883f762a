package org.meshbook.cluster;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Runs commands beside a container's own program.
///
/// Both ends of the API have it, as with [Logs]. Threads: any.
public interface Exec {
    /// Runs a command to its end.
    ///
    /// @param pod the pod
    /// @param command what to run, and where
    /// @param streams what it reads and writes
    /// @return its exit code
    /// @throws ApiException if it cannot be run, or did not end in time: then it was killed
    /// @throws InterruptedException if a person pressed stop; the command was killed
    int exec(ResourceKey pod, Command command, Streams streams) throws InterruptedException;

    /// What to run.
    ///
    /// @param container container; `""` for the only one
    /// @param words program and arguments
    /// @param within how long it may run; empty for as long as it takes
    record Command(String container, List<String> words, Optional<Duration> within) {
        public Command {
            words = List.copyOf(words);
        }

        /// @return what a person is told when its time is over
        public ApiException late() {
            return new ApiException(
                    504,
                    "Timeout",
                    "%s did not end within %d s and was killed"
                            .formatted(words.getFirst(), within.orElse(Duration.ZERO).toSeconds()),
                    List.of());
        }
    }

    /// What a command reads and writes.
    interface Streams {
        /// Hears that the container is there and the command is about to begin.
        default void started() {}

        /// @return what it reads
        default InputStream in() {
            return InputStream.nullInputStream();
        }

        /// @param bytes what came on stdout; may be called by another thread than `err`
        void out(byte[] bytes);

        /// @param bytes what came on stderr
        void err(byte[] bytes);
    }
}
