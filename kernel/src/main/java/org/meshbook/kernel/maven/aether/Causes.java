package org.meshbook.kernel.maven.aether;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.maven.model.building.ModelBuildingException;
import org.apache.maven.model.building.ModelProblem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.collection.DependencyCollectionException;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.spi.connector.transport.http.HttpTransporterException;
import org.eclipse.aether.spi.connector.transport.http.RFC9457.HttpRFC9457Exception;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.ArtifactTransferException;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.MetadataNotFoundException;
import org.eclipse.aether.transfer.MetadataTransferException;
import org.eclipse.aether.transfer.NoRepositoryConnectorException;
import org.eclipse.aether.transfer.RepositoryOfflineException;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.MavenFailure;

/// Finds the root cause in what the library throws.
final class Causes {
    private static final Pattern STATUS =
            Pattern.compile("(?:status code: |reason phrase: .*|Status: )(\\d{3})");

    private Causes() {}

    /// What is behind a failure.
    ///
    /// @param artifact what could not be had, if that is known
    /// @param repository where, if that is known
    /// @param reason in words; empty if it is just not there
    /// @param missing whether the repositories answered that they have no such thing
    record Cause(
            @Nullable Artifact artifact,
            @Nullable RemoteRepository repository,
            String reason,
            boolean missing) {}

    /// @param thrown what the library threw
    /// @return the most telling cause: a repository that failed, before one that has no such thing
    static Cause of(Throwable thrown) {
        var all = new ArrayList<Throwable>();
        gather(thrown, all, Collections.newSetFromMap(new IdentityHashMap<>()));
        for (var each : all) {
            if (each instanceof MavenFailure failure) {
                throw failure;
            }
        }
        return failed(all)
                .or(() -> missing(all))
                .orElseGet(() -> new Cause(null, null, reason(thrown), false));
    }

    private static Optional<Cause> failed(List<Throwable> all) {
        for (var each : all) {
            switch (each) {
                case ArtifactNotFoundException _, MetadataNotFoundException _ -> {}
                case ArtifactTransferException e -> {
                    return Optional.of(
                            new Cause(e.getArtifact(), e.getRepository(), reason(e), false));
                }
                case MetadataTransferException e -> {
                    return Optional.of(new Cause(null, e.getRepository(), reason(e), false));
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    private static Optional<Cause> missing(List<Throwable> all) {
        for (var each : all) {
            if (each instanceof ArtifactNotFoundException e) {
                return Optional.of(new Cause(e.getArtifact(), e.getRepository(), "", true));
            }
        }
        return Optional.empty();
    }

    private static void gather(
            @Nullable Throwable thrown, List<Throwable> all, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return;
        }
        all.add(thrown);
        switch (thrown) {
            case ArtifactResolutionException e ->
                    e.getResults()
                            .forEach(
                                    result ->
                                            result.getExceptions()
                                                    .forEach(x -> gather(x, all, seen)));
            case DependencyCollectionException e ->
                    e.getResult().getExceptions().forEach(x -> gather(x, all, seen));
            default -> {}
        }
        gather(thrown.getCause(), all, seen);
        for (var suppressed : thrown.getSuppressed()) {
            gather(suppressed, all, seen);
        }
    }

    /// @return why a transfer failed, in words
    static String reason(Throwable failed) {
        var all = new ArrayList<Throwable>();
        gather(failed, all, Collections.newSetFromMap(new IdentityHashMap<>()));
        for (var each : all.reversed()) {
            var known = known(each);
            if (known.isPresent()) {
                return known.get();
            }
        }
        return firstLine(all.getLast());
    }

    private static Optional<String> known(Throwable thrown) {
        return switch (thrown) {
            case UnknownHostException e -> Optional.of("unknown host " + e.getMessage());
            case NoRouteToHostException _ -> Optional.of("no route to its host");
            case SocketTimeoutException _ -> Optional.of("it did not answer in time");
            case ConnectException e ->
                    Optional.of(
                            firstLine(e).toLowerCase(java.util.Locale.ROOT).contains("timed out")
                                    ? "it did not answer in time"
                                    : "connection refused");
            case SSLException e -> Optional.of("TLS failed: " + firstLine(e));
            case HttpTransporterException e -> Optional.of(status(e.getStatusCode()));
            case HttpRFC9457Exception e -> Optional.of(status(e.getStatusCode()));
            case ChecksumFailureException e -> Optional.of(checksum(e));
            case RepositoryOfflineException _ ->
                    Optional.of("offline, and it was not loaded before");
            case NoRepositoryConnectorException e -> Optional.of(firstLine(e));
            case ModelBuildingException e -> problem(e);
            default -> Optional.empty();
        };
    }

    private static Optional<String> problem(ModelBuildingException e) {
        return e.getProblems().stream()
                .filter(problem -> problem.getSeverity() != ModelProblem.Severity.WARNING)
                .findFirst()
                .map(problem -> "its pom is broken: " + problem.getMessage());
    }

    private static String checksum(ChecksumFailureException e) {
        return e.getActual() == null || e.getActual().isEmpty()
                ? "no checksum there to check it with"
                : "its checksum is wrong: %s expected, %s found; it was not kept"
                        .formatted(e.getExpected(), e.getActual());
    }

    private static String status(int code) {
        return switch (code) {
            case 401 -> "401, credentials wanted: name a <server> of the same id in settings.xml";
            case 403 -> "403, forbidden to this user";
            case 407 -> "407, the proxy wants credentials";
            case 404, 410 -> code + ", not there";
            case 429 -> "429, too many requests; try again later";
            default -> "HTTP status " + code;
        };
    }

    static String firstLine(Throwable thrown) {
        var message = thrown.getMessage();
        if (message == null || message.isBlank()) {
            return thrown.getClass().getSimpleName();
        }
        var line = message.strip().lines().findFirst().orElse(message);
        var status = STATUS.matcher(line);
        return status.find() ? status(Integer.parseInt(status.group(1))) : line;
    }
}
