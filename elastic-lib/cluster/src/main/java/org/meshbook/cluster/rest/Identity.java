package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Who the server is: a key and a certificate of its own for 127.0.0.1, made by the JDK's keytool.
///
/// It is there because kubectl shows no token over a connection that is not encrypted. keytool is a
/// process of its own that takes about a second, so the key is kept where the server has a folder.
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

    /// @param password keeps the key; for a moment it is in a file that only its user may read
    /// @return a new one
    /// @throws IOException if keytool cannot be run or cannot write
    static Identity fresh(String password) throws IOException {
        var folder = Files.createTempDirectory("meshbook-key");
        var file = folder.resolve("key.p12");
        try {
            make(file, password);
            return read(file, password);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }

    /// @param file where it is kept; only its user may read it
    /// @param password keeps the key
    /// @return the one that is there, else a new one
    /// @throws IOException if keytool cannot be run or cannot write
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
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        make(fresh, password);
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return read(file, password);
    }

    private static Identity read(Path file, String password) throws IOException {
        try {
            var keys = KeyStore.getInstance(file.toFile(), password.toCharArray());
            return new Identity(keys, password.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IOException("\"%s\" holds no key".formatted(file), e);
        }
    }

    private static void make(Path file, String password) throws IOException {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var builder =
                new ProcessBuilder(
                        List.of(
                                keytool,
                                "-genkeypair",
                                "-alias",
                                ALIAS,
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=meshbook",
                                "-ext",
                                "san=ip:127.0.0.1,dns:localhost",
                                "-validity",
                                "3650",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                file.toString(),
                                "-storepass:env",
                                "MESHBOOK_STORE"));
        // Not on the command line, which everybody on the machine may read.
        builder.environment().put("MESHBOOK_STORE", password);
        var process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), US_ASCII).strip();
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("keytool made no key: " + said);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a key was made", e);
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
