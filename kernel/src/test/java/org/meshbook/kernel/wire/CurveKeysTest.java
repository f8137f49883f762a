package org.meshbook.kernel.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// The keys of encrypted sockets, as a connection file gives them.
class CurveKeysTest {
    private static final String PUBLIC = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID";
    private static final String SECRET = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs";

    private static Optional<CurveKeys> of(String json) {
        return CurveKeys.of(
                JsonMapper.shared()
                        .readTree(
                                json.replace('\'', '"')
                                        .replace("PUBLIC", PUBLIC)
                                        .replace("SECRET", SECRET)));
    }

    @Test
    void keysAreThirtyTwoBytesInText() {
        // The pair of libzmq's manual; the bytes are those of its Z85 in Python.
        assertThat(HexFormat.of().formatHex(new CurveKeys(PUBLIC, SECRET).secretBytes()))
                .isEqualTo("7bb864b489afa3671fbe69101f94b38972f24816dfb01b51656b3fec8dfd0888");
    }

    @Test
    void bothKeysOrNoneAreGiven() {
        assertThat(of("{'curve_publickey': 'PUBLIC', 'curve_secretkey': 'SECRET'}"))
                .contains(new CurveKeys(PUBLIC, SECRET));
        assertThat(of("{}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {'curve_publickey': 'PUBLIC'}                               | has only one of curve_publickey and curve_secretkey
                    {'curve_secretkey': 'SECRET'}                               | has only one of curve_publickey and curve_secretkey
                    {'curve_publickey': 'a', 'curve_secretkey': 'SECRET'}       | curve_publickey is no Z85 text of 40 characters; found 1 characters
                    {'curve_publickey': 'PUBLIC', 'curve_secretkey': 'SECRET2'} | curve_secretkey is no Z85 text of 40 characters; found 41 characters
                    """)
    void whatIsNoKeyIsNamed(String json, String why) {
        assertThatThrownBy(() -> of(json))
                .isInstanceOf(ConnectionFile.Unusable.class)
                .hasMessageContaining(why);
    }

    @Test
    void aSecretIsNeverPrinted() {
        assertThat(new CurveKeys(PUBLIC, SECRET)).hasToString("CurveKeys[" + PUBLIC + "]");
    }
}
