package org.meshbook.kernel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCodecTest {
    private static Request request(String type, String json) {
        return decode(type, json).orElseThrow();
    }

    private static Optional<Request> decode(String type, String json) {
        return MessageCodec.request(type, json.getBytes(UTF_8), "{}".getBytes(UTF_8), List.of());
    }

    @Test
    void fieldsThatAreMissingTakeTheProtocolsDefaults() {
        assertThat(request("execute_request", "{\"code\": \"x\"}"))
                .isEqualTo(new Request.Execute("x", false, true, Map.of(), true, true));
        assertThat(request("complete_request", "{\"code\": \"abc\"}"))
                .isEqualTo(new Request.Complete("abc", 3));
        assertThat(request("history_request", "{}"))
                .isEqualTo(new Request.History(new Request.Query.Tail(10), false));
        assertThat(request("history_request", "{\"hist_access_type\": \"range\", \"stop\": null}"))
                .isEqualTo(
                        new Request.History(
                                new Request.Query.Range(0, 0, OptionalInt.empty()), false));
    }

    @Test
    void silentIsNeverStored() {
        var silent =
                request(
                        "execute_request",
                        "{\"code\":\"x\",\"silent\":true,\"store_history\":true}");
        assertThat(silent).isEqualTo(new Request.Execute("x", true, false, Map.of(), true, true));
    }

    @Test
    void anUnknownTypeIsNoError() {
        assertThat(decode("dance_request", "{}")).isEmpty();
    }

    @Test
    void brokenContentIsABadMessage() {
        assertThatThrownBy(() -> request("execute_request", "{")).isInstanceOf(BadMessage.class);
        assertThatThrownBy(() -> request("execute_request", "[]")).isInstanceOf(BadMessage.class);
        assertThatThrownBy(() -> request("execute_request", "{\"code\": 5}"))
                .hasMessageContaining("'code'");
        assertThatThrownBy(() -> MessageCodec.header("{}".getBytes(UTF_8)))
                .isInstanceOf(BadMessage.class);
    }

    @Test
    void halfOfASurrogatePairIsWrittenAsAQuestionMark() {
        var json = MessageCodec.write(Map.of("text", "a\uD83D"));
        assertThat(new String(json, UTF_8)).isEqualTo("{\"text\":\"a?\"}");
    }

    @Test
    void halvesAreMendedWhereverTheyStand() {
        var content = new LinkedHashMap<String, Object>();
        content.put("horse", "\uD83D\uDC0E");
        content.put("list", List.of("\uDC0E", 5, true, "\uD83D\uDC0E"));
        content.put("map", Map.of("text", "ok"));
        assertThat(new String(MessageCodec.write(content), UTF_8))
                .isEqualTo(
                        "{\"horse\":\"\uD83D\uDC0E\",\"list\":[\"?\",5,true,\"\uD83D\uDC0E\"],"
                                + "\"map\":{\"text\":\"ok\"}}");
    }

    @Test
    void aHeaderIsReadAsItIsWritten() {
        var header = Header.now("s", "u", "execute_reply").of(Optional.of("sub"));
        assertThat(MessageCodec.header(MessageCodec.write(header))).isEqualTo(header);
        assertThat(header.version()).isEqualTo("5.6");
        assertThat(header.id()).isNotEqualTo(Header.now("s", "u", "execute_reply").id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"msg_id\": \"i\"}", "{\"msg_type\": \"t\"}"})
    void aHeaderThatNamesNoMessageIsBad(String json) {
        assertThatThrownBy(() -> MessageCodec.header(json.getBytes(UTF_8)))
                .isInstanceOf(BadMessage.class)
                .hasMessage("the header names no message: msg_id or msg_type is missing");
    }

    @Test
    void aParentIsKnownByItsIdIfItHasOne() {
        assertThat(MessageCodec.parent("{\"msg_id\": \"i\"}".getBytes(UTF_8))).contains("i");
        assertThat(MessageCodec.parent("{}".getBytes(UTF_8))).isEmpty();
        assertThat(MessageCodec.parent("{".getBytes(UTF_8))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("replies")
    void everyReplyHasAStatus(Reply reply) {
        assertThat(reply.content().get("status")).isInstanceOf(String.class);
        assertThat(reply.type()).endsWith("_reply");
        assertThat(MessageCodec.write(reply.content())).isNotEmpty();
    }

    static Stream<Reply> replies() {
        var failure = new Failure("E", "m", List.of("t"));
        return Stream.of(
                new Reply.KernelInfo("1", "25"),
                new Reply.Connect(Map.of("shell_port", 1)),
                new Reply.Executed(1, Map.of("a", new Reply.Expression.Broken(failure)), true),
                new Reply.ExecutionFailed(1, failure),
                new Reply.ExecutionAborted(),
                new Reply.Completed(
                        "abc", List.of(new Reply.Completed.Match("abcd", "function", "()")), 0, 3),
                new Reply.Inspected(Optional.empty()),
                new Reply.IsComplete("incomplete", " "),
                new Reply.History(List.of(new Reply.Line(1, 1, "x", Optional.empty())), true),
                new Reply.CommInfo(Map.of("c", "chat")),
                new Reply.Interrupted(),
                new Reply.ShutDown(true),
                new Reply.NoDebugger(1, "debugInfo"),
                new Reply.Failed("complete_reply", failure));
    }
}
