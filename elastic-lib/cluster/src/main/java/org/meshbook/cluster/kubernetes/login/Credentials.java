package org.meshbook.cluster.kubernetes.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.meshbook.cluster.ClusterUnreachable;

/// What a server is shown to know who asks. Threads: any.
public interface Credentials {
    /// @return the `Authorization` header, `""` for none
    String header();

    /// Looks for others after the server did not accept these.
    ///
    /// @param refused the header that was shown
    /// @return whether there are others to try
    boolean renew(String refused);

    /// @return none: a certificate says who we are, or nobody asks
    static Credentials none() {
        return fixed("");
    }

    /// @param token a token that stays
    static Credentials token(String token) {
        return fixed("Bearer " + token);
    }

    /// @param user user's name
    /// @param password password
    static Credentials password(String user, String password) {
        var both = (user + ":" + password).getBytes(UTF_8);
        return fixed("Basic " + Base64.getEncoder().encodeToString(both));
    }

    private static Credentials fixed(String header) {
        return new Credentials() {
            @Override
            public String header() {
                return header;
            }

            @Override
            public boolean renew(String refused) {
                return false;
            }
        };
    }

    /// @param file holds a token that somebody renews; read each time
    static Credentials file(Path file) {
        return new Credentials() {
            @Override
            public String header() {
                try {
                    return "Bearer " + Files.readString(file).strip();
                } catch (IOException e) {
                    throw new ClusterUnreachable(
                            "cannot read the token in \"%s\": %s".formatted(file, e), e);
                }
            }

            @Override
            public boolean renew(String refused) {
                return !header().equals(refused);
            }
        };
    }
}
