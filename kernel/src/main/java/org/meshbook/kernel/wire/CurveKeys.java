package org.meshbook.kernel.wire;

import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The server's keys of CurveZMQ, by which every socket encrypts and knows who may connect.
///
/// @param publicKey Z85 text of 40 characters; also the clients' `serverkey`
/// @param secretKey Z85 text of 40 characters
public record CurveKeys(String publicKey, String secretKey) {
    private static final Pattern Z85 =
            Pattern.compile("[0-9A-Za-z.\\-:+=^!/*?&<>()\\[\\]{}@%$#]{40}");

    public CurveKeys {
        check("curve_publickey", publicKey);
        check("curve_secretkey", secretKey);
    }

    /// @param connection a connection file
    /// @return its keys, if it has any
    static Optional<CurveKeys> of(JsonNode connection) {
        var publicKey = connection.path("curve_publickey").stringValue(null);
        var secretKey = connection.path("curve_secretkey").stringValue(null);
        if (publicKey == null && secretKey == null) {
            return Optional.empty();
        }
        if (publicKey == null || secretKey == null) {
            throw new ConnectionFile.Unusable(
                    "the connection file has only one of curve_publickey and curve_secretkey;"
                            + " give both, or none for no encryption");
        }
        return Optional.of(new CurveKeys(publicKey, secretKey));
    }

    private static void check(String name, String key) {
        if (!Z85.matcher(key).matches()) {
            throw new ConnectionFile.Unusable(
                    name
                            + " is no Z85 text of 40 characters; found "
                            + key.length()
                            + " characters");
        }
    }

    @Override
    public String toString() {
        return "CurveKeys[" + publicKey + "]";
    }
}
