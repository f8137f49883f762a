package org.meshbook.kernel.maven;

import java.nio.file.Path;
import java.util.List;

/// What was found.
///
/// @param files every file, those asked for first
/// @param boms which of those asked for are BOMs: they say versions and have no file
/// @param notes lines that the user should see
/// @param downloads how many files came from elsewhere
/// @param downloadedBytes how much that was
public record Resolved(
        List<Found> files,
        List<Coordinates> boms,
        List<String> notes,
        int downloads,
        long downloadedBytes) {
    public Resolved {
        files = List.copyOf(files);
        boms = List.copyOf(boms);
        notes = List.copyOf(notes);
    }

    /// A file of a library.
    ///
    /// @param coordinates which
    /// @param file where it lies now
    /// @param repository id of the repository it came from; empty if that is not known
    public record Found(Coordinates coordinates, Path file, String repository) {}
}
