package org.meshbook.kernel.failure;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every public package's types in the JDK by their simple names. Read at the first question only;
/// JShell's own index is not ready for some time after the start.
final class TypeIndex {
    private static final TypeIndex JDK = new TypeIndex();

    private final Map<String, List<String>> bySimpleName;

    private TypeIndex() {
        bySimpleName =
                ModuleLayer.boot().modules().stream()
                        .flatMap(TypeIndex::types)
                        .collect(
                                Collectors.groupingBy(
                                        name -> name.substring(name.lastIndexOf('.') + 1)));
    }

    /// @param simpleName of a type
    /// @return full names of the JDK's types that are called so
    static List<String> jdk(String simpleName) {
        return JDK.bySimpleName.getOrDefault(simpleName, List.of());
    }

    private static Stream<String> types(Module module) {
        var root =
                FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module.getName());
        return Files.isDirectory(root)
                ? module.getDescriptor().exports().stream()
                        .filter(exported -> !exported.isQualified())
                        .flatMap(exported -> types(root, exported.source()))
                : Stream.of();
    }

    private static Stream<String> types(Path root, String packageName) {
        try (var files = Files.list(root.resolve(packageName.replace('.', '/')))) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("$"))
                    .map(file -> packageName + "." + file.substring(0, file.length() - 6))
                    .toList()
                    .stream();
        } catch (IOException e) {
            return Stream.of();
        }
    }
}
