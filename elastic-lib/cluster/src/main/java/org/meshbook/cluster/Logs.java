package org.meshbook.cluster;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// What the containers of pods print.
///
/// Both ends of the API have it: a node, which reads the files, and a client, who asks a server
/// that asks the node. A node tells what one start of a container printed, and refuses in the
/// kubelet's words while there is nothing to read. Threads: any; the lines come on the caller's.
public interface Logs {
    /// Tells each line of a container's output, in order.
    ///
    /// @param pod the pod
    /// @param options which lines
    /// @param lines hears them
    /// @throws ApiException if there is no such pod or container, or nothing to read yet
    /// @throws InterruptedException if a person pressed stop
    void logs(ResourceKey pod, Options options, Lines lines) throws InterruptedException;

    /// Hears lines; called by one thread.
    @FunctionalInterface
    interface Lines {
        /// @param text one line, without its end
        void line(String text);

        /// Hears that all was told that is there by now.
        default void idle() {}
    }

    /// Which lines, and how they are told.
    ///
    /// @param container container; `""` for the only one
    /// @param follow whether to go on until the container has ended
    /// @param previous whether those of its start before the last one are meant
    /// @param timestamps whether each line begins with its time and a blank
    /// @param tail how many of the last lines to begin with; empty for all
    /// @param since the time of the oldest line; empty for all
    record Options(
            String container,
            boolean follow,
            boolean previous,
            boolean timestamps,
            OptionalInt tail,
            Optional<Instant> since) {
        /// All lines that are there.
        public static final Options ALL =
                new Options("", false, false, false, OptionalInt.empty(), Optional.empty());

        /// All lines, until the end.
        public static final Options FOLLOW = ALL.withFollow();

        /// @param name a container's name
        /// @return this, of that container
        public Options withContainer(String name) {
            return new Options(name, follow, previous, timestamps, tail, since);
        }

        /// @return this, until the container has ended
        public Options withFollow() {
            return new Options(container, true, previous, timestamps, tail, since);
        }

        /// @return this, of the container's start before the last one
        public Options withPrevious() {
            return new Options(container, follow, true, timestamps, tail, since);
        }

        /// @param lines how many of the last lines
        /// @return this, from there on
        public Options withTail(int lines) {
            return new Options(
                    container, follow, previous, timestamps, OptionalInt.of(lines), since);
        }

        /// @return this, each line with its time
        public Options withTimestamps() {
            return new Options(container, follow, previous, true, tail, since);
        }
    }
}
