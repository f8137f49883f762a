package org.meshbook.cluster.rest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/// What a server and its clients agree on: a token, a key, and a port. Immutable.
public final class Credentials {
    private static final int TOKEN_BYTES = 24;

    private final String token;
    private final Identity identity;
    private final int port;
    private final boolean mayMove;

    private Credentials(String token, Identity identity, int port, boolean mayMove) {
        this.token = token;
        this.identity = identity;
        this.port = port;
        this.mayMove = mayMove;
    }

    /// @param token what clients must show as a bearer token
    /// @param port port, or 0 for any
    /// @return new ones, for one server
    /// @throws IOException if no key can be made
    public static Credentials fresh(String token, int port) throws IOException {
        return new Credentials(token, Identity.fresh(random()), port, false);
    }

    /// Those of a folder, the same at every start, so that who reached the server before reaches it
    /// again: `token`, `key.p12` and the port in `kubeconfig`. Only their user may read them.
    ///
    /// @param folder where they are kept
    /// @return what is there, else new ones
    /// @throws IOException if they cannot be written, or no key can be made
    public static Credentials kept(Path folder) throws IOException {
        var file = folder.resolve("token");
        var token = Files.exists(file) ? Files.readString(file).strip() : "";
        if (!token.matches("[0-9a-f]{%d}".formatted(2 * TOKEN_BYTES))) {
            token = random();
            OwnFile.write(file, token);
        }
        return new Credentials(
                token,
                Identity.kept(folder.resolve("key.p12"), token),
                Kubeconfig.port(folder.resolve("kubeconfig")),
                true);
    }

    private static String random() {
        var bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// @return what clients must show as a bearer token
    String token() {
        return token;
    }

    /// @return the server's key and certificate
    Identity identity() {
        return identity;
    }

    /// @return where the server listens if it can; 0 for anywhere
    int port() {
        return port;
    }

    /// @return whether the server may listen elsewhere if the port is in use
    boolean mayMove() {
        return mayMove;
    }
}
