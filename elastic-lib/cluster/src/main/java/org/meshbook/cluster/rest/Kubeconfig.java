package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Pattern;

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

    private static final Pattern SERVER =
            Pattern.compile("server: https://127\\.0\\.0\\.1:(\\d{1,5})\\b");

    private Kubeconfig() {}

    /// Writes the file whole or not at all; only its user may read it.
    static void write(Path file, URI server, String certificate, String token) throws IOException {
        var authority = Base64.getEncoder().encodeToString(certificate.getBytes(UTF_8));
        OwnFile.write(file, TEXT.formatted(server, authority, token));
    }

    /// @return the port that a file names; 0 if there is none
    static int port(Path file) {
        try {
            var server = SERVER.matcher(Files.exists(file) ? Files.readString(file) : "");
            return server.find() ? Integer.parseInt(server.group(1)) : 0;
        } catch (IOException unreadable) {
            return 0;
        }
    }
}
