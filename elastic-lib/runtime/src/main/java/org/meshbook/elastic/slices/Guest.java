package org.meshbook.elastic.slices;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.slices.supply.Supply;

/// Something that lives in the head's process beside the slices, such as a cluster: found by
/// `ServiceLoader`, started when it is first asked for, ended with the head.
///
/// All calls come from one thread that is not the head's own.
public interface Guest {
    /// @return the name by which it is asked for
    String name();

    /// Starts it.
    ///
    /// @param folder a folder of its own, which only its user may read; it may hold what an earlier
    ///   one left
    /// @param options what was asked for, by name
    /// @return it, running
    /// @throws IOException if it cannot be started; one line that says why
    /// @throws org.meshbook.elastic.UsageError if the options are not understood
    Running start(Path folder, Map<String, String> options) throws IOException;

    /// A guest that runs.
    interface Running extends AutoCloseable {
        /// Asks it again, while it runs.
        ///
        /// @param options what was asked for
        /// @return how to reach it, by name; secrets only by the name of a file that holds them
        /// @throws org.meshbook.elastic.UsageError if the options differ from what it runs with
        Map<String, String> facts(Map<String, String> options);

        /// @return what gives slices through it; empty if it has none to give
        default Optional<Supply> supply() {
            return Optional.empty();
        }

        /// Ends it and all its processes.
        @Override
        void close();
    }
}
