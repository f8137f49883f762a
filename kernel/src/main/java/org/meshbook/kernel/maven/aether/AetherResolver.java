package org.meshbook.kernel.maven.aether;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.resolution.VersionRangeResolutionException;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Coordinates;
import org.meshbook.kernel.maven.MavenFailure;
import org.meshbook.kernel.maven.Repository;
import org.meshbook.kernel.maven.Request;
import org.meshbook.kernel.maven.Resolved;
import org.meshbook.kernel.maven.Resolver;
import org.meshbook.kernel.maven.Settings;

/// Finds libraries by Apache Maven Resolver.
public final class AetherResolver implements Resolver {
    private final RepositorySystem system = new Checksums.Supplier().get();
    private final Sessions sessions;
    private volatile @Nullable Transfers running;

    /// @param settings the user's
    /// @param localRepository where files are kept
    public AetherResolver(Settings settings, Path localRepository) {
        sessions = new Sessions(system, settings, localRepository);
    }

    @Override
    public Resolved resolve(Request request, Progress progress) {
        var transfers = new Transfers(progress);
        running = transfers;
        var project = request.pom().map(ProjectFiles::of).orElse(null);
        try (var session = sessions.open(request.offline(), transfers, project)) {
            return new Resolution(sessions, session, request, transfers).run(project);
        } catch (RepositoryException e) {
            throw new MavenFailure(Causes.firstLine(e), e);
        } finally {
            running = null;
        }
    }

    @Override
    public List<String> versions(
            Coordinates library, List<Repository> repositories, boolean offline) {
        var transfers = new Transfers(Progress.NONE);
        running = transfers;
        try (var session = sessions.open(offline, transfers, null)) {
            var remotes = sessions.remotes(session, repositories);
            return sessions.versions(session, Artifacts.of(library), remotes);
        } catch (VersionRangeResolutionException e) {
            throw new MavenFailure(Causes.reason(e), e);
        } finally {
            running = null;
        }
    }

    @Override
    public void close() {
        var transfers = running;
        if (transfers != null) {
            transfers.cancel();
        }
        system.shutdown();
    }
}
