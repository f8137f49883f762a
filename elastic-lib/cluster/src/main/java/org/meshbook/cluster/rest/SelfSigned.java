package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/// Makes the certificate of a server on 127.0.0.1 that vouches for itself.
///
/// Java makes keys but no certificates; its keytool does, as a process that takes a second. What is
/// here is the little of X.509 that one certificate needs, in DER: a tag, a length, the contents.
/// Source: RFC 5280, sections 4.1 and 4.2.1.6.
final class SelfSigned {
    private static final int VALID_DAYS = 3650;
    private static final int SERIAL_BITS = 64;
    private static final int FOUR_DIGITS_FROM = 2050;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int OCTETS = 0x04;
    private static final int UTF8 = 0x0c;
    private static final int TIME_UNTIL_2049 = 0x17;
    private static final int TIME_FROM_2050 = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;

    /// ecdsa-with-SHA256, commonName and subjectAltName, as object identifiers in DER.
    private static final byte[] ECDSA = {6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};

    private static final byte[] COMMON_NAME = {6, 3, 0x55, 4, 3};
    private static final byte[] OTHER_NAMES = {6, 3, 0x55, 0x1d, 0x11};

    private SelfSigned() {}

    /// @param keys keys on an elliptic curve
    /// @param now when it begins to be valid, a day earlier for clocks that are behind
    /// @return the certificate
    static Certificate of(KeyPair keys, Instant now) throws GeneralSecurityException {
        var body = body(keys, now.minus(1, ChronoUnit.DAYS));
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(body);
        var whole = der(SEQUENCE, body, der(SEQUENCE, ECDSA), bits(signature.sign()));
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] body(KeyPair keys, Instant from) {
        var name =
                der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, ascii("meshbook")))));
        var alternatives =
                der(SEQUENCE, der(IP_ADDRESS, LOOPBACK), der(DNS_NAME, ascii("localhost")));
        return der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, new BigInteger(SERIAL_BITS, new SecureRandom()).toByteArray()),
                der(SEQUENCE, ECDSA),
                name,
                der(SEQUENCE, time(from), time(from.plus(VALID_DAYS, ChronoUnit.DAYS))),
                name,
                keys.getPublic().getEncoded(),
                der(
                        EXTENSIONS,
                        der(SEQUENCE, der(SEQUENCE, OTHER_NAMES, der(OCTETS, alternatives)))));
    }

    /// Years before 2050 have two digits.
    private static byte[] time(Instant time) {
        var utc = time.atOffset(ZoneOffset.UTC);
        boolean late = utc.getYear() >= FOUR_DIGITS_FROM;
        var format = DateTimeFormatter.ofPattern(late ? "yyyyMMddHHmmss'Z'" : "yyMMddHHmmss'Z'");
        return der(late ? TIME_FROM_2050 : TIME_UNTIL_2049, ascii(format.format(utc)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /// A bit string; its first byte says that no bits of the last one are left over.
    private static byte[] bits(byte[] content) {
        return der(BITS, new byte[] {0}, content);
    }

    private static byte[] der(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (var part : parts) {
            content.writeBytes(part);
        }
        var out = new ByteArrayOutputStream();
        out.write(tag);
        length(content.size(), out);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static void length(int length, ByteArrayOutputStream out) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        var bytes = BigInteger.valueOf(length).toByteArray();
        // Without the byte that only keeps the number positive.
        int from = bytes[0] == 0 ? 1 : 0;
        out.write(0x80 | (bytes.length - from));
        out.write(bytes, from, bytes.length - from);
    }
}
