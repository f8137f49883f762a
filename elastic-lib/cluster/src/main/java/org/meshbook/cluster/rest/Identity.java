package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Who the server is: a key and a certificate of its own for 127.0.0.1.
///
/// It is there because kubectl shows no token over a connection that is not encrypted. The key is
/// kept where the server has a folder, so that clients trust the next one, too.
final class Identity {
    private static final System.Logger LOG = System.getLogger(Identity.class.getName());
    private static final String ALIAS = "meshbook";
    private static final int PEM_COLUMNS = 64;

    private final KeyStore keys;
    private final char[] password;

    private Identity(KeyStore keys, char[] password) {
        this.keys = keys;
        this.password = password;
    }

    /// @param password keeps the key
    /// @return a new one
    /// @throws IOException if this Java has no elliptic curves
    static Identity fresh(String password) throws IOException {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            var pair = generator.generateKeyPair();
            var certificate = SelfSigned.of(pair, Instant.now());
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            var secret = password.toCharArray();
            keys.setKeyEntry(ALIAS, pair.getPrivate(), secret, new Certificate[] {certificate});
            return new Identity(keys, secret);
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java makes no keys for TLS", e);
        }
    }

    /// @param file where it is kept; only its user may read it
    /// @param password keeps the key
    /// @return the one that is there, else a new one
    /// @throws IOException if it cannot be written
    static Identity kept(Path file, String password) throws IOException {
        if (Files.exists(file)) {
            try {
                return read(file, password);
            } catch (IOException unreadable) {
                LOG.log(
                        Level.WARNING,
                        "file={0} replaced: {1}",
                        file,
                        String.valueOf(unreadable.getMessage()));
            }
        }
        var fresh = fresh(password);
        OwnFile.write(file, fresh.stored());
        return fresh;
    }

    private byte[] stored() throws IOException {
        var out = new ByteArrayOutputStream();
        try {
            keys.store(out, password);
        } catch (GeneralSecurityException e) {
            throw new IOException("the key cannot be kept", e);
        }
        return out.toByteArray();
    }

    private static Identity read(Path file, String password) throws IOException {
        try {
            var keys = KeyStore.getInstance(file.toFile(), password.toCharArray());
            return new Identity(keys, password.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IOException("\"%s\" holds no key".formatted(file), e);
        }
    }

    /// @return what a server needs to speak TLS
    SSLContext context() throws IOException {
        try {
            var factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(keys, password);
            var context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java cannot speak TLS", e);
        }
    }

    /// @return its certificate, which clients trust, as PEM
    String certificate() throws IOException {
        try {
            var encoder = Base64.getMimeEncoder(PEM_COLUMNS, "\n".getBytes(US_ASCII));
            return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                    .formatted(encoder.encodeToString(keys.getCertificate(ALIAS).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate cannot be read", e);
        }
    }
}
