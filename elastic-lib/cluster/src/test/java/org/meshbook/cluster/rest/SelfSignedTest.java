package org.meshbook.cluster.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The certificate as Java's own reader sees it; that clients take it, other tests show.
class SelfSignedTest {
    @ParameterizedTest
    @ValueSource(strings = {"2026-12-01T00:00:00Z", "2049-12-31T12:00:00Z"})
    void namesThisMachineAndVouchesForItself(String now) throws Exception {
        var keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        var begin = Instant.parse(now);

        var certificate = (X509Certificate) SelfSigned.of(keys, begin);

        certificate.verify(keys.getPublic());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=meshbook");
        assertThat(certificate.getIssuerX500Principal())
                .isEqualTo(certificate.getSubjectX500Principal());
        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(7, "127.0.0.1"), List.of(2, "localhost"));
        certificate.checkValidity(Date.from(begin));
        certificate.checkValidity(Date.from(begin.plus(Duration.ofDays(3600))));
        assertThat(certificate.getSerialNumber()).isNotNegative();
    }
}
