package org.meshbook.kernel.maven;

import java.util.List;

/// Finds files in repositories; not thread-safe, except for [#close].
public interface Resolver extends AutoCloseable {
    /// @param request what is wanted
    /// @param progress told what happens, on the threads that do it
    /// @return what was found
    /// @throws MavenFailure if something is missing
    Resolved resolve(Request request, Progress progress);

    /// @param library `group:artifact`
    /// @param repositories where to look
    /// @param offline whether to look only here
    /// @return its versions, oldest first
    /// @throws MavenFailure if a repository does not answer
    List<String> versions(Coordinates library, List<Repository> repositories, boolean offline);

    /// Ends what runs now, on any thread: its connections are cut.
    @Override
    void close();

    /// Is told what happens.
    interface Progress {
        /// Nobody is told.
        Progress NONE = line -> {};

        /// @param line what happens now
        void now(String line);
    }
}
