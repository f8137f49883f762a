package org.meshbook.magics.maven;

import java.util.List;
import java.util.stream.Stream;
import org.meshbook.kernel.maven.Maven;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;

/// The magics of this room, over one set of repositories.
public final class MavenExtension implements Extension {
    private final Maven maven = new Maven();

    @Override
    public List<Magic> magics() {
        return Stream.of(
                        MavenMagic.all(maven),
                        RepositoryMagic.all(maven),
                        List.of(
                                new PomMagic(maven),
                                new DependencyMagic(maven),
                                new JarsMagic("jars"),
                                new JarsMagic("jar"),
                                new ClassPathMagic(),
                                new LoadMagic()))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void close(boolean restart) {
        maven.close();
    }
}
