package org.meshbook.kernel.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An installation in small: the kernel's jar, its libraries beside it, and Maven Resolver in a
/// folder of its own.
@Timeout(60)
class OwnLoaderTest {
    @TempDir private Path temp;

    @Test
    void resolverIsLoadedFromItsFolderAndNobodyElseSeesIt() throws Exception {
        var lib = Files.createDirectories(temp.resolve("lib"));
        var maven = Files.createDirectories(lib.resolve("maven"));
        var kernel = lib.resolve("kernel.jar");
        pack(kernel);
        for (var entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            var name = Path.of(entry).getFileName().toString();
            if (name.matches("(maven|plexus|httpc|commons-codec|asm|jcl|gson|slf4j-api).*\\.jar")) {
                var unused = Files.copy(Path.of(entry), maven.resolve(name));
            }
        }
        var urls = new URL[] {kernel.toUri().toURL()};
        try (var program = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            var resolver = open(program);

            assertThat(resolver.getClass().getClassLoader().getName()).isEqualTo("maven-resolver");
            assertThat(resolver.getClass().getInterfaces()[0].getClassLoader()).isSameAs(program);
            assertThat(seen(program, RepositorySystem.class)).isFalse();
            assertThat(seen(resolver.getClass().getClassLoader(), RepositorySystem.class)).isTrue();
            var close = resolver.getClass().getMethod("close");
            close.invoke(resolver);
        }
    }

    @Test
    void withoutSuchAFolderTheProgramsClassPathServes() {
        var resolver = OwnLoader.resolver(Settings.NONE, temp);
        assertThat(resolver.getClass().getClassLoader())
                .isSameAs(RepositorySystemSupplier.class.getClassLoader());
        resolver.close();
    }

    private Object open(ClassLoader program) throws ReflectiveOperationException {
        var settings = program.loadClass(Settings.class.getName());
        var none = settings.getField("NONE").get(null);
        var open =
                program.loadClass(OwnLoader.class.getName())
                        .getDeclaredMethod("resolver", settings, Path.class);
        open.setAccessible(true);
        return open.invoke(null, none, temp);
    }

    private static boolean seen(ClassLoader loader, Class<?> type) {
        try {
            var unused = loader.loadClass(type.getName());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /// The rooms `maven` and `spi`, from wherever they lie.
    private static void pack(Path jar) throws Exception {
        var from = Path.of(Maven.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(from)) {
            var unused = Files.copy(from, jar);
            return;
        }
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                var all = Files.walk(from)) {
            for (var file : files(all, from)) {
                out.putNextEntry(new JarEntry(from.relativize(file).toString().replace('\\', '/')));
                out.write(Files.readAllBytes(file));
            }
        }
    }

    private static List<Path> files(Stream<Path> all, Path from) throws IOException {
        return all.filter(Files::isRegularFile)
                .filter(f -> from.relativize(f).toString().matches(".*kernel.(maven|spi).*"))
                .toList();
    }
}
