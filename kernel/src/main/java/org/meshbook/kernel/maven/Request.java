package org.meshbook.kernel.maven;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is wanted.
///
/// @param wanted libraries, each with what it needs
/// @param pom a project whose dependencies are wanted as well
/// @param boms projects that say versions
/// @param repositories where to look, in this order
/// @param exclusions `group:artifact`, `*` for any, that are not wanted
/// @param scopes of the pom's dependencies
/// @param offline whether to use only what is here already
public record Request(
        List<Coordinates> wanted,
        Optional<Path> pom,
        List<Coordinates> boms,
        List<Repository> repositories,
        List<String> exclusions,
        Set<String> scopes,
        boolean offline) {
    public Request {
        wanted = List.copyOf(wanted);
        boms = List.copyOf(boms);
        repositories = List.copyOf(repositories);
        exclusions = List.copyOf(exclusions);
        scopes = Set.copyOf(scopes);
    }
}
