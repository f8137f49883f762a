package org.meshbook.kernel.maven.aether;

import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.meshbook.kernel.maven.Coordinates;

/// Coordinates in the library's words, and back.
final class Artifacts {
    private Artifacts() {}

    static Artifact of(Coordinates c) {
        return new DefaultArtifact(
                c.group(), c.artifact(), c.classifier(), c.extension(), c.version());
    }

    static Coordinates coordinates(Artifact a) {
        return new Coordinates(
                a.getGroupId(),
                a.getArtifactId(),
                a.getExtension(),
                a.getClassifier(),
                a.getVersion());
    }
}
