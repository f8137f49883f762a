package org.meshbook.kernel.maven.aether;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.aether.ConfigurationProperties;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession.CloseableSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.Authentication;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.resolution.ArtifactDescriptorPolicy;
import org.eclipse.aether.resolution.VersionRangeRequest;
import org.eclipse.aether.resolution.VersionRangeResolutionException;
import org.eclipse.aether.supplier.SessionBuilderSupplier;
import org.eclipse.aether.util.repository.AuthenticationBuilder;
import org.eclipse.aether.util.repository.DefaultMirrorSelector;
import org.eclipse.aether.util.repository.SimpleResolutionErrorPolicy;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.MavenFailure;
import org.meshbook.kernel.maven.Proxies;
import org.meshbook.kernel.maven.Repository;
import org.meshbook.kernel.maven.Settings;

/// Makes the library's sessions from the user's settings, and remembers which mirrors and proxies
/// they chose.
final class Sessions {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int SILENCE_MILLIS = 30_000;

    private final RepositorySystem system;
    private final Settings settings;
    private final Path localRepository;
    private final Proxies proxies;
    private final Set<String> ways = new LinkedHashSet<>();

    Sessions(RepositorySystem system, Settings settings, Path localRepository) {
        this.system = system;
        this.settings = settings;
        this.localRepository = localRepository;
        proxies = Proxies.of(settings);
    }

    CloseableSession open(boolean offline, Transfers transfers, @Nullable WorkspaceReader project) {
        ways.clear();
        var builder = new SessionBuilderSupplier(system).get();
        if (project != null) {
            var unused = builder.setWorkspaceReader(project);
        }
        return builder.withLocalRepositoryBaseDirectories(localRepository)
                .setOffline(offline || settings.offline())
                .setSystemProperties(System.getProperties())
                // Nobody wants to hear tomorrow that it failed yesterday.
                .setResolutionErrorPolicy(new SimpleResolutionErrorPolicy(false, false))
                // A broken pom counts as none, but not one that was asked for.
                .setArtifactDescriptorPolicy(
                        (_, asked) ->
                                asked.getArtifact().getExtension().equals("pom")
                                        ? ArtifactDescriptorPolicy.STRICT
                                        : ArtifactDescriptorPolicy.IGNORE_ERRORS)
                .setTransferListener(transfers)
                .setMirrorSelector(this::mirror)
                .setProxySelector(this::proxy)
                .setAuthenticationSelector(repository -> credentials(repository.getId()))
                .setConfigProperty(ConfigurationProperties.CONNECT_TIMEOUT, CONNECT_MILLIS)
                .setConfigProperty(ConfigurationProperties.REQUEST_TIMEOUT, SILENCE_MILLIS)
                .setConfigProperty(ConfigurationProperties.HTTP_RETRY_HANDLER_COUNT, 1)
                .setConfigProperty(ConfigurationProperties.USER_AGENT, "Meshbook")
                .build();
    }

    RepositorySystem system() {
        return system;
    }

    /// @return the repositories as the session's mirrors, proxies and credentials make them
    List<RemoteRepository> remotes(CloseableSession session, List<Repository> repositories) {
        return system.newResolutionRepositories(
                session, repositories.stream().map(Sessions::remote).toList());
    }

    /// @return all versions of a library, oldest first
    List<String> versions(
            CloseableSession session, Artifact artifact, List<RemoteRepository> remotes)
            throws VersionRangeResolutionException {
        var request = new VersionRangeRequest(artifact.setVersion("[0,)"), remotes, "");
        return system.resolveVersionRange(session, request).getVersions().stream()
                .map(Object::toString)
                .toList();
    }

    /// @return which mirrors and proxies were chosen for the last session
    List<String> ways() {
        synchronized (ways) {
            return List.copyOf(ways);
        }
    }

    private void remember(String way) {
        synchronized (ways) {
            var unused = ways.add(way);
        }
    }

    private @Nullable RemoteRepository mirror(RemoteRepository repository) {
        var selector = new DefaultMirrorSelector();
        for (var each : settings.mirrors()) {
            selector.add(
                    each.id(), each.url(), "default", false, each.blocked(), each.mirrorOf(), "");
        }
        var mirror = selector.getMirror(repository);
        if (mirror == null) {
            return null;
        }
        if (mirror.isBlocked()) {
            throw new MavenFailure(
                    "mirror '%s' in settings.xml blocks repository %s (%s)"
                            .formatted(mirror.getId(), repository.getId(), repository.getUrl()));
        }
        remember(
                "%s was reached through mirror '%s' (%s) of settings.xml"
                        .formatted(repository.getId(), mirror.getId(), mirror.getUrl()));
        return mirror;
    }

    private org.eclipse.aether.repository.@Nullable Proxy proxy(RemoteRepository repository) {
        return proxies.of(repository.getUrl())
                .map(
                        proxy -> {
                            remember(
                                    "%s was reached through %s"
                                            .formatted(repository.getId(), proxy));
                            return new org.eclipse.aether.repository.Proxy(
                                    "http", proxy.host(), proxy.port(), login(proxy));
                        })
                .orElse(null);
    }

    private static @Nullable Authentication login(Settings.Proxy proxy) {
        return proxy.user().isEmpty()
                ? null
                : new AuthenticationBuilder()
                        .addUsername(proxy.user())
                        .addPassword(proxy.secret())
                        .build();
    }

    private @Nullable Authentication credentials(String id) {
        Optional<Settings.Server> server =
                settings.servers().stream().filter(s -> s.id().equals(id)).findFirst();
        return server.filter(s -> !s.user().isEmpty())
                .map(
                        s ->
                                new AuthenticationBuilder()
                                        .addUsername(s.user())
                                        .addPassword(s.secret())
                                        .build())
                .orElse(null);
    }

    static RemoteRepository remote(Repository repository) {
        return new RemoteRepository.Builder(repository.id(), "default", repository.url())
                .setReleasePolicy(policy(repository.releases()))
                .setSnapshotPolicy(policy(repository.snapshots()))
                .build();
    }

    private static RepositoryPolicy policy(Repository.Policy policy) {
        return new RepositoryPolicy(
                policy.enabled(),
                policy.updates(),
                policy.checksums().isEmpty()
                        ? RepositoryPolicy.CHECKSUM_POLICY_WARN
                        : policy.checksums());
    }
}
