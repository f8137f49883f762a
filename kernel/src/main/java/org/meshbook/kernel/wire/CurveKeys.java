package org.meshbook.kernel.wire;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The server's keys of CurveZMQ, by which every socket encrypts and knows who may connect.
///
/// @param publicKey Z85 text of 40 characters; also the clients' `serverkey`
/// @param secretKey Z85 text of 40 characters
public record CurveKeys(String publicKey, String secretKey) {
    private static final String DIGITS =
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
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

    /// @return the 32 bytes of the secret key
    byte[] secretBytes() {
        var bytes = ByteBuffer.allocate(secretKey.length() / 5 * 4);
        for (var at = 0; at < secretKey.length(); at += 5) {
            var value = 0L;
            for (var digit : secretKey.substring(at, at + 5).toCharArray()) {
                value = value * DIGITS.length() + DIGITS.indexOf(digit);
            }
            bytes.putInt((int) value);
        }
        return bytes.array();
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
