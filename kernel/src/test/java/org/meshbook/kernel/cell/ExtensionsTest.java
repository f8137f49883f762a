package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.spi.Extension;

/// What is found in jars that cells added.
class ExtensionsTest {
    private static final String SERVICES = "META-INF/services/" + Extension.class.getName();

    @TempDir java.nio.file.Path folder;

    private final List<String> warned = new ArrayList<>();

    /// In the added jar.
    public static final class Added implements Extension {}

    /// Throws when it is made.
    public static final class Broken implements Extension {
        public Broken() {
            throw new IllegalStateException("as asked");
        }
    }

    /// A jar of classes that it defines itself, though its parent has them, too.
    private final class Jar extends ClassLoader {
        private final List<String> own;
        private final String services;

        Jar(List<String> own, String... services) {
            super(ExtensionsTest.class.getClassLoader());
            this.own = own;
            this.services = String.join("\n", services);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!own.contains(name)) {
                    return super.loadClass(name, resolve);
                }
                var loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                var bytes = java.util.Objects.requireNonNull(in).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            if (!name.equals(SERVICES)) {
                return super.getResources(name);
            }
            var file = java.nio.file.Files.writeString(folder.resolve("services"), services);
            return Collections.enumeration(List.of(file.toUri().toURL()));
        }
    }

    private List<Extension> found(Jar jar, Extension... active) {
        return Extensions.of(jar, List.of(active), warned::add);
    }

    @Test
    void anExtensionOfAnAddedJarIsFound() {
        var name = Added.class.getName();
        assertThat(found(new Jar(List.of(name), name)))
                .singleElement()
                .extracting(found -> found.getClass().getName())
                .isEqualTo(name);
        assertThat(warned).isEmpty();
    }

    @Test
    void whatWasThereBeforeIsNotFoundAgain() {
        var name = Added.class.getName();
        assertThat(found(new Jar(List.of(), name))).isEmpty();
        var jar = new Jar(List.of(name), name);
        var active = found(jar).getFirst();
        assertThat(found(jar, active)).isEmpty();
        assertThat(found(jar, new Added())).hasSize(1);
    }

    @Test
    void aBrokenOneIsSaidAndTheRestGoesOn() {
        var broken = Broken.class.getName();
        var name = Added.class.getName();
        var jar = new Jar(List.of(broken, name), broken, "no.such.Extension", name);
        assertThat(found(jar)).hasSize(1);
        assertThat(warned)
                .hasSize(2)
                .allMatch(line -> line.startsWith("an extension of an added jar does not work: "))
                .anyMatch(line -> line.contains("Broken"))
                .anyMatch(line -> line.contains("no.such.Extension"));
    }
}
