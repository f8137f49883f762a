package org.meshbook.kernel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestDecoderTest {
    private static Request request(String type, String json) {
        return MessageCodec.request(
                        type,
                        json.replace('\'', '"').getBytes(UTF_8),
                        "{\"m\": 1}".getBytes(UTF_8),
                        List.of(new byte[] {7}))
                .orElseThrow();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("requests")
    void everyFieldIsTaken(String type, String json, Request expected) {
        assertThat(request(type, json)).isEqualTo(expected);
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of("kernel_info_request", "{}", new Request.KernelInfo()),
                Arguments.of("connect_request", "{}", new Request.Connect()),
                Arguments.of(
                        "execute_request",
                        "{'code': 'x', 'silent': false, 'store_history': false, 'user_expressions':"
                                + " {'a': 'b'}, 'allow_stdin': false, 'stop_on_error': false}",
                        new Request.Execute("x", false, false, Map.of("a", "b"), false, false)),
                Arguments.of(
                        "complete_request",
                        "{'code': '\uD83D\uDE00ab', 'cursor_pos': 2}",
                        new Request.Complete("\uD83D\uDE00ab", 3)),
                Arguments.of(
                        "inspect_request",
                        "{'code': 'abc', 'cursor_pos': 2, 'detail_level': 1}",
                        new Request.Inspect("abc", 2, 1)),
                Arguments.of(
                        "inspect_request", "{'code': 'abc'}", new Request.Inspect("abc", 3, 0)),
                Arguments.of("is_complete_request", "{'code': 'x'}", new Request.IsComplete("x")),
                Arguments.of(
                        "history_request",
                        "{'hist_access_type': 'tail', 'n': 3, 'output': true}",
                        new Request.History(new Request.Query.Tail(3), true)),
                Arguments.of(
                        "history_request",
                        "{'hist_access_type': 'range', 'session': -1, 'start': 2, 'stop': 5}",
                        new Request.History(
                                new Request.Query.Range(-1, 2, OptionalInt.of(5)), false)),
                Arguments.of(
                        "history_request",
                        "{'hist_access_type': 'search', 'pattern': 'a*', 'n': 4, 'unique': true}",
                        new Request.History(
                                new Request.Query.Search("a*", OptionalInt.of(4), true), false)),
                Arguments.of(
                        "history_request",
                        "{'hist_access_type': 'search'}",
                        new Request.History(
                                new Request.Query.Search("*", OptionalInt.empty(), false), false)),
                Arguments.of(
                        "comm_info_request",
                        "{'target_name': 't'}",
                        new Request.CommInfo(Optional.of("t"))),
                Arguments.of("comm_info_request", "{}", new Request.CommInfo(Optional.empty())),
                Arguments.of("interrupt_request", "{}", new Request.Interrupt()),
                Arguments.of("usage_request", "{}", new Request.Usage()),
                Arguments.of("create_subshell_request", "{}", new Request.CreateSubshell()),
                Arguments.of(
                        "delete_subshell_request",
                        "{'subshell_id': 's'}",
                        new Request.DeleteSubshell("s")),
                Arguments.of("list_subshell_request", "{}", new Request.ListSubshells()),
                Arguments.of("shutdown_request", "{'restart': true}", new Request.Shutdown(true)),
                Arguments.of("shutdown_request", "{}", new Request.Shutdown(false)),
                Arguments.of(
                        "debug_request",
                        "{'seq': 4, 'command': 'attach'}",
                        new Request.Debug(4, "attach")),
                Arguments.of("input_reply", "{'value': 'v'}", new Request.Input("v")));
    }

    @Test
    void aCommCarriesDataMetadataAndBuffers() {
        var open =
                (Request.CommOpen)
                        request(
                                "comm_open",
                                "{'comm_id': 'c', 'target_name': 't', 'data': {'a': [1, null, 'x',"
                                        + " true]}}");
        assertThat(open.comm()).isEqualTo("c");
        assertThat(open.target()).isEqualTo("t");
        assertThat(String.valueOf(open.payload().data().get("a"))).isEqualTo("[1, null, x, true]");
        assertThat(open.payload().metadata()).isEqualTo(Map.of("m", 1));
        assertThat(open.payload().buffers()).hasSize(1);
        var said = (Request.CommMessage) request("comm_msg", "{'comm_id': 'd', 'data': {'a': 2}}");
        assertThat(said.comm()).isEqualTo("d");
        assertThat(said.payload().data()).isEqualTo(Map.of("a", 2));
        var closed = (Request.CommClose) request("comm_close", "{'comm_id': 'e'}");
        assertThat(closed.comm()).isEqualTo("e");
        assertThat(closed.payload().data()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    comm_open               | {'comm_id': ''}                | 'comm_id' is empty
                    comm_msg                | {}                             | 'comm_id' is missing
                    delete_subshell_request | {'subshell_id': ''}            | 'subshell_id' is empty
                    input_reply             | {'value': 5}                   | 'value' is missing or no text
                    history_request         | {'hist_access_type': 'guess'}  | hist_access_type is 'guess'
                    """,
            quoteCharacter = '~')
    void whatCannotBeDoneSaysWhy(String type, String json, String why) {
        assertThatThrownBy(() -> request(type, json)).hasMessageContaining(why);
    }
}
