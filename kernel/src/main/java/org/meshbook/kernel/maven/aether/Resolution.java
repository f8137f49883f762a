package org.meshbook.kernel.maven.aether;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession.CloseableSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.Exclusion;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactDescriptorRequest;
import org.eclipse.aether.resolution.ArtifactDescriptorResult;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.VersionRangeRequest;
import org.eclipse.aether.resolution.VersionRangeResolutionException;
import org.eclipse.aether.resolution.VersionRequest;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Coordinates;
import org.meshbook.kernel.maven.LocalRepository;
import org.meshbook.kernel.maven.MavenFailure;
import org.meshbook.kernel.maven.Request;
import org.meshbook.kernel.maven.Resolved;

/// One resolution: what BOMs and the project say, then the roots, then all that they need. Used
/// once.
final class Resolution {
    private static final Set<String> NEEDED = Set.of("compile", "runtime");

    private final RepositorySystem system;
    private final Sessions sessions;
    private final CloseableSession session;
    private final Request request;
    private final Transfers transfers;
    private final Map<String, Dependency> managed = new LinkedHashMap<>();
    private final List<Dependency> roots = new ArrayList<>();
    private final List<Coordinates> boms = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private List<RemoteRepository> remotes;

    Resolution(Sessions sessions, CloseableSession session, Request request, Transfers transfers) {
        this.sessions = sessions;
        system = sessions.system();
        this.session = session;
        this.request = request;
        this.transfers = transfers;
        remotes = sessions.remotes(session, request.repositories());
    }

    Resolved run(@Nullable ProjectFiles project) throws RepositoryException {
        // 1. what BOMs and the project say
        for (var bom : request.boms()) {
            manage(bom);
        }
        if (project != null) {
            project(project);
        }
        // 2. what was asked for, with its version
        for (var wanted : request.wanted()) {
            root(wanted);
        }
        // 3. all that it needs
        var found = roots.isEmpty() ? List.<Resolved.Found>of() : found();
        if (transfers.asked()) {
            notes.addAll(sessions.ways());
        }
        return new Resolved(found, boms, notes, transfers.files(), transfers.bytes());
    }

    private void manage(Coordinates bom) throws RepositoryException {
        var descriptor = describe(Artifacts.of(bom.withExtension("pom")));
        manage(descriptor);
    }

    private void manage(ArtifactDescriptorResult descriptor) {
        for (var dependency : descriptor.getManagedDependencies()) {
            managed.putIfAbsent(key(dependency.getArtifact()), dependency);
        }
    }

    private static String key(Artifact a) {
        return String.join(
                ":", a.getGroupId(), a.getArtifactId(), a.getExtension(), a.getClassifier());
    }

    private void project(ProjectFiles files) throws RepositoryException {
        var descriptor = describe(files.project());
        if (!descriptor.getRepositories().isEmpty()) {
            remotes = merged(descriptor.getRepositories());
        }
        manage(descriptor);
        for (var dependency : descriptor.getDependencies()) {
            if (request.scopes().contains(dependency.getScope())) {
                roots.add(versioned(dependency).setScope("compile"));
            }
        }
    }

    private Dependency versioned(Dependency dependency) {
        var artifact = dependency.getArtifact();
        return artifact.getVersion().isEmpty()
                ? dependency.setArtifact(
                        artifact.setVersion(managedVersion(Artifacts.coordinates(artifact))))
                : dependency;
    }

    /// The project's own repositories come first, as it says where its libraries are.
    private List<RemoteRepository> merged(List<RemoteRepository> own) {
        var all = new LinkedHashMap<String, RemoteRepository>();
        var fresh = system.newResolutionRepositories(session, bare(own));
        fresh.forEach(r -> all.putIfAbsent(r.getId(), r));
        remotes.forEach(r -> all.putIfAbsent(r.getId(), r));
        return List.copyOf(all.values());
    }

    private static List<RemoteRepository> bare(List<RemoteRepository> repositories) {
        return repositories.stream()
                .map(
                        r ->
                                new RemoteRepository.Builder(r.getId(), "default", r.getUrl())
                                        .setReleasePolicy(r.getPolicy(false))
                                        .setSnapshotPolicy(r.getPolicy(true))
                                        .build())
                .toList();
    }

    private ArtifactDescriptorResult describe(Artifact artifact) throws RepositoryException {
        try {
            var descriptor =
                    system.readArtifactDescriptor(
                            session, new ArtifactDescriptorRequest(artifact, remotes, ""));
            for (var missing : descriptor.getExceptions()) {
                if (artifact.getExtension().equals("pom")) {
                    throw new MavenFailure(worded(missing), missing);
                }
            }
            return descriptor;
        } catch (RepositoryException e) {
            throw new MavenFailure(worded(e), e);
        }
    }

    private void root(Coordinates wanted) throws RepositoryException {
        var artifact = Artifacts.of(versioned(wanted));
        if (artifact.getExtension().equals("jar") && artifact.getClassifier().isEmpty()) {
            artifact = unpacked(artifact);
        }
        if (artifact.getExtension().equals("pom")) {
            var descriptor = describe(artifact);
            manage(descriptor);
            if (descriptor.getDependencies().isEmpty()) {
                bom(artifact, descriptor);
                return;
            }
        }
        roots.add(new Dependency(artifact, "compile").setExclusions(exclusions()));
    }

    private void bom(Artifact artifact, ArtifactDescriptorResult descriptor) {
        boms.add(Artifacts.coordinates(artifact));
        notes.add(
                "%s is a BOM of %d versions: name those libraries without a version now"
                        .formatted(
                                Artifacts.coordinates(artifact),
                                descriptor.getManagedDependencies().size()));
    }

    /// A project of packaging `pom` has no jar: what counts is what it needs.
    private Artifact unpacked(Artifact artifact) throws RepositoryException {
        var pom =
                new DefaultArtifact(
                        artifact.getGroupId(),
                        artifact.getArtifactId(),
                        "pom",
                        artifact.getVersion());
        try {
            var file = system.resolveArtifact(session, new ArtifactRequest(pom, remotes, ""));
            var model = ProjectFiles.read(file.getArtifact().getPath());
            return model.getPackaging().equals("pom") ? pom : artifact;
        } catch (RepositoryException e) {
            var cause = Causes.of(e);
            if (cause.missing()) {
                // A library without a pom is just its jar.
                return artifact;
            }
            throw new MavenFailure(worded(e, artifact), e);
        }
    }

    private Coordinates versioned(Coordinates wanted) throws RepositoryException {
        if (!wanted.isOpen()) {
            return wanted;
        }
        var asked = wanted.version();
        if (asked.isEmpty()) {
            return wanted.withVersion(managedVersion(wanted));
        }
        var version =
                asked.equals("LATEST") || asked.equals("RELEASE") ? named(wanted) : ranged(wanted);
        notes.add("%s %s is %s".formatted(wanted.library(), asked, version));
        return wanted.withVersion(version);
    }

    private String named(Coordinates wanted) throws RepositoryException {
        try {
            var result =
                    system.resolveVersion(
                            session, new VersionRequest(Artifacts.of(wanted), remotes, ""));
            return result.getVersion();
        } catch (RepositoryException e) {
            throw new MavenFailure(unknown(wanted, e), e);
        }
    }

    private String ranged(Coordinates wanted) throws RepositoryException {
        var asked = new VersionRangeRequest(Artifacts.of(wanted), remotes, "");
        var result = system.resolveVersionRange(session, asked);
        var highest = result.getHighestVersion();
        if (highest == null) {
            var failed = result.getExceptions().stream().findFirst();
            throw new MavenFailure(unknown(wanted, failed.orElse(null)));
        }
        return highest.toString();
    }

    private String managedVersion(Coordinates wanted) {
        var said = managed.get(key(Artifacts.of(wanted)));
        if (said != null) {
            return said.getArtifact().getVersion();
        }
        var newest = newest(Artifacts.of(wanted));
        throw new MavenFailure(
                "%s has no version, and no BOM says one; %s"
                        .formatted(
                                wanted,
                                newest.isEmpty()
                                        ? "write group:artifact:version"
                                        : "the newest is " + newest.getLast()));
    }

    private Set<Exclusion> exclusions() {
        return request.exclusions().stream()
                .map(
                        text -> {
                            var parts = text.split(":", 2);
                            return new Exclusion(
                                    parts[0], parts.length > 1 ? parts[1] : "*", "*", "*");
                        })
                .collect(Collectors.toSet());
    }

    private List<Resolved.Found> found() {
        var collect = new CollectRequest(roots, List.copyOf(managed.values()), remotes);
        var wanted =
                new DependencyRequest(
                        collect,
                        (node, _) ->
                                node.getDependency() == null
                                        || NEEDED.contains(node.getDependency().getScope()));
        try {
            return system.resolveDependencies(session, wanted).getArtifactResults().stream()
                    .map(Resolution::found)
                    .toList();
        } catch (RepositoryException e) {
            throw new MavenFailure(worded(e), e);
        }
    }

    private static Resolved.Found found(ArtifactResult result) {
        var repository = result.getRepository();
        return new Resolved.Found(
                Artifacts.coordinates(result.getArtifact()),
                result.getArtifact().getPath(),
                repository instanceof RemoteRepository remote ? remote.getId() : "");
    }

    private String worded(Throwable thrown) {
        return worded(thrown, null);
    }

    /// @param asked what to name in place of what failed, as a library in place of its pom
    private String worded(Throwable thrown, @Nullable Artifact asked) {
        var cause = Causes.of(thrown);
        var artifact = asked == null ? cause.artifact() : asked;
        if (cause.missing() && artifact != null) {
            return missing(artifact, neededBy(artifact));
        }
        var what = artifact == null ? "" : Artifacts.coordinates(artifact) + ": ";
        var repository = cause.repository();
        var where =
                repository == null
                        ? ""
                        : "repository %s (%s)%s: "
                                .formatted(
                                        repository.getId(), repository.getUrl(), way(repository));
        return what + where + cause.reason();
    }

    private static String way(RemoteRepository repository) {
        var proxy = repository.getProxy();
        var mirrored =
                repository.getMirroredRepositories().stream()
                        .map(RemoteRepository::getId)
                        .collect(Collectors.joining(", "));
        return (mirrored.isEmpty() ? "" : " as mirror of " + mirrored)
                + (proxy == null
                        ? ""
                        : " through proxy %s:%d".formatted(proxy.getHost(), proxy.getPort()));
    }

    private String neededBy(Artifact artifact) {
        var asked =
                roots.stream()
                        .anyMatch(
                                r ->
                                        Artifacts.coordinates(r.getArtifact())
                                                .library()
                                                .equals(Artifacts.coordinates(artifact).library()));
        return asked || roots.isEmpty()
                ? ""
                : " (needed by %s)"
                        .formatted(
                                roots.stream()
                                        .map(r -> Artifacts.coordinates(r.getArtifact()).toString())
                                        .collect(Collectors.joining(" or ")));
    }

    private String missing(Artifact artifact, String neededBy) {
        var coordinates = Artifacts.coordinates(artifact);
        return "%s%s was not found in %s; %s"
                .formatted(coordinates, neededBy, places(), hint(artifact));
    }

    private String places() {
        return remotes.isEmpty()
                ? "the local repository, and no other is known"
                : remotes.stream()
                        .map(r -> "%s (%s)".formatted(r.getId(), r.getUrl()))
                        .collect(Collectors.joining(", "));
    }

    private String hint(Artifact artifact) {
        if (session.isOffline()) {
            return "offline, so only what was loaded before counts";
        }
        var newest = newest(artifact);
        if (newest.contains(artifact.getVersion())) {
            return artifact.getClassifier().isEmpty() && artifact.getExtension().equals("jar")
                    ? "that version is listed there, but has no jar"
                    : "that version is listed there, but has no file of extension '%s'%s"
                            .formatted(
                                    artifact.getExtension(),
                                    artifact.getClassifier().isEmpty()
                                            ? ""
                                            : " and classifier '%s'"
                                                    .formatted(artifact.getClassifier()));
        }
        if (!newest.isEmpty()) {
            return "its newest versions are "
                    + String.join(
                            ", ",
                            newest.subList(Math.max(0, newest.size() - 5), newest.size())
                                    .reversed());
        }
        if (artifact.isSnapshot()
                && remotes.stream().noneMatch(r -> r.getPolicy(true).isEnabled())) {
            return "none of them has snapshots: add one that does by %mavenRepo ID URL";
        }
        return nearby(artifact);
    }

    private String nearby(Artifact artifact) {
        var local = session.getLocalRepository().getBasePath();
        var near = new LocalRepository(local).near(artifact.getGroupId(), artifact.getArtifactId());
        return near.isEmpty()
                ? "no version of it is known there: check group and artifact, or add a"
                        + " repository by %mavenRepo ID URL"
                : "did you mean %s?".formatted(String.join(" or ", near));
    }

    private List<String> newest(Artifact artifact) {
        try {
            return List.copyOf(sessions.versions(session, artifact, remotes));
        } catch (VersionRangeResolutionException e) {
            return List.of();
        }
    }

    private String unknown(Coordinates wanted, @Nullable Throwable thrown) {
        if (thrown != null) {
            var cause = Causes.of(thrown);
            if (cause.repository() != null && !cause.missing()) {
                return wanted + ": " + worded(thrown);
            }
        }
        return "no version of %s fits '%s' in %s; %s"
                .formatted(
                        wanted.library(),
                        wanted.version(),
                        places(),
                        hint(Artifacts.of(wanted.withVersion("0"))));
    }
}
