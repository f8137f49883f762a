package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Set;

/// The file from which kubectl and other clients learn where a cluster is and what to show it.
final class Kubeconfig {
    private static final String TEXT =
            """
            apiVersion: v1
            kind: Config
            clusters:
            - name: meshbook
              cluster:
                server: %s
                certificate-authority-data: %s
            users:
            - name: meshbook
              user:
                token: %s
            contexts:
            - name: meshbook
              context:
                cluster: meshbook
                user: meshbook
            current-context: meshbook
            """;

    private Kubeconfig() {}

    /// Writes the file whole or not at all; only its user may read it.
    static void write(Path file, URI server, String certificate, String token) throws IOException {
        var authority = Base64.getEncoder().encodeToString(certificate.getBytes(UTF_8));
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        var mine = PosixFilePermissions.fromString("rw-------");
        try (var channel =
                Files.newByteChannel(
                        fresh,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(mine))) {
            channel.write(UTF_8.encode(TEXT.formatted(server, authority, token)));
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
