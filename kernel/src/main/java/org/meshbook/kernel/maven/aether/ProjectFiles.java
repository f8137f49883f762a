package org.meshbook.kernel.maven.aether;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.MavenFailure;

/// A project on this machine, and the parents that its `relativePath` leads to, as if they lay in a
/// repository.
final class ProjectFiles implements WorkspaceReader {
    private static final int MOST_PARENTS = 20;

    private final WorkspaceRepository repository = new WorkspaceRepository("project");
    private final Map<String, Path> poms = new HashMap<>();
    private final Artifact project;

    private ProjectFiles(Path pom) {
        var model = read(pom);
        project = coordinates(model);
        var file = pom.toAbsolutePath().normalize();
        for (var i = 0; i < MOST_PARENTS; i++) {
            poms.put(key(coordinates(model)), file);
            var parent = parent(model, file);
            if (parent.isEmpty()) {
                break;
            }
            file = parent.get();
            model = read(file);
        }
    }

    /// @param pom a project's file
    /// @return it and its parents
    /// @throws MavenFailure if it cannot be read
    static ProjectFiles of(Path pom) {
        return new ProjectFiles(pom);
    }

    /// @return the project itself
    Artifact project() {
        return project;
    }

    private static Optional<Path> parent(Model model, Path file) {
        var folder = file.getParent();
        if (model.getParent() == null || model.getParent().getRelativePath().isEmpty()) {
            return Optional.empty();
        }
        if (folder == null) {
            return Optional.empty();
        }
        var parent = folder.resolve(model.getParent().getRelativePath()).normalize();
        if (Files.isDirectory(parent)) {
            parent = parent.resolve("pom.xml");
        }
        return Files.isRegularFile(parent) ? Optional.of(parent) : Optional.empty();
    }

    static Model read(Path pom) {
        try (var in = Files.newInputStream(pom)) {
            return new MavenXpp3Reader().read(in, false);
        } catch (IOException | XmlPullParserException e) {
            throw new MavenFailure(
                    "'%s' is no project that can be read: %s".formatted(pom, Causes.firstLine(e)),
                    e);
        }
    }

    private static Artifact coordinates(Model model) {
        var parent = model.getParent();
        var group =
                model.getGroupId() == null && parent != null
                        ? parent.getGroupId()
                        : model.getGroupId();
        var version =
                model.getVersion() == null && parent != null
                        ? parent.getVersion()
                        : model.getVersion();
        return new DefaultArtifact(
                or(group, "local"), or(model.getArtifactId(), "project"), "pom", or(version, "1"));
    }

    private static String or(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    private static String key(Artifact artifact) {
        return artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getVersion();
    }

    @Override
    public WorkspaceRepository getRepository() {
        return repository;
    }

    @Override
    public @Nullable File findArtifact(Artifact artifact) {
        var pom = artifact.getExtension().equals("pom") ? poms.get(key(artifact)) : null;
        return pom == null ? null : pom.toFile();
    }

    @Override
    public List<String> findVersions(Artifact artifact) {
        return List.of();
    }
}
