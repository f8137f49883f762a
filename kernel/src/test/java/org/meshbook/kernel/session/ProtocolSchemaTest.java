package org.meshbook.kernel.session;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// The schema refuses what front ends choke on: a check that passes everything checks nothing.
class ProtocolSchemaTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "metadata           | null",
                "kernel_info_reply  | {\"protocol_version\": \"5.6\"}",
                "execute_reply      | {\"status\": \"ok\", \"execution_count\": null}",
                "execute_reply      | {\"status\": \"error\", \"execution_count\": 1}",
                "execute_reply      | {\"status\": \"abort\"}",
                "execute_result     | {\"execution_count\": 1, \"data\": {\"text/html\": \"\"},"
                        + " \"metadata\": {}}",
                "display_data       | {\"data\": {\"text/plain\": \"a\"}, \"metadata\": null}",
                "stream             | {\"name\": \"out\", \"text\": \"a\"}",
                "is_complete_reply  | {\"status\": \"incomplete\"}",
                "history_reply      | {\"status\": \"ok\", \"history\": [[1, \"x\"]]}",
                "status             | {\"execution_state\": \"ready\"}",
                "comm_open          | {\"comm_id\": \"c\", \"data\": {}}",
                "interrupt_reply    | {}",
            })
    void whatFrontEndsChokeOnIsRefused(String definition, String json) {
        assertThatThrownBy(
                        () -> ProtocolSchema.check(definition, JsonMapper.shared().readTree(json)))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00Z, true",
        "2026-01-01T00:00:00.123456+01:00, true",
        "2026-01-01T00:00:00, false",
        "2026-01-01T00:00:00+01:00[Europe/Berlin], false"
    })
    void datesHaveAZoneThatEveryFrontEndReads(String date, boolean right) {
        var header =
                JsonMapper.shared()
                        .createObjectNode()
                        .put("msg_id", "1")
                        .put("session", "s")
                        .put("username", "u")
                        .put("date", date)
                        .put("msg_type", "status")
                        .put("version", "5.6");
        var check = assertThatCode(() -> ProtocolSchema.check("header", header));
        if (right) {
            check.doesNotThrowAnyException();
        } else {
            check.isInstanceOf(AssertionError.class);
        }
    }
}
