package org.meshbook.kernel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/// What goes over the wire, field by field, as the protocol's text has it.
class ContentTest {
    private static final Failure FAILURE = new Failure("E", "m", List.of("t"));
    private static final Bundle BUNDLE =
            new Bundle(Map.of("text/plain", "5"), Map.of("image/png", Map.of("width", 2)));

    @ParameterizedTest(name = "{0}")
    @MethodSource("replies")
    void aReplySaysWhatTheProtocolAsks(String type, Reply reply, String json) {
        assertThat(reply.type()).isEqualTo(type);
        same(reply.content(), json);
    }

    static Stream<Arguments> replies() {
        return Stream.of(
                Arguments.of(
                        "connect_reply",
                        new Reply.Connect(Map.of("shell_port", 7)),
                        "{'status': 'ok', 'shell_port': 7}"),
                Arguments.of(
                        "execute_reply",
                        new Reply.Executed(
                                3, Map.of("a", new Reply.Expression.Broken(FAILURE)), true),
                        "{'status': 'ok', 'execution_count': 3, 'user_expressions': {'a':"
                                + " {'status': 'error', 'ename': 'E', 'evalue': 'm', 'traceback':"
                                + " ['t']}}, 'payload': [{'source': 'ask_exit', 'keepkernel':"
                                + " false}]}"),
                Arguments.of(
                        "execute_reply",
                        new Reply.Executed(
                                3, Map.of("a", new Reply.Expression.Value(BUNDLE)), false),
                        "{'status': 'ok', 'execution_count': 3, 'user_expressions': {'a':"
                                + " {'status': 'ok', 'data': {'text/plain': '5'}, 'metadata':"
                                + " {'image/png': {'width': 2}}}}, 'payload': []}"),
                Arguments.of(
                        "execute_reply",
                        new Reply.ExecutionFailed(4, FAILURE),
                        "{'status': 'error', 'execution_count': 4, 'ename': 'E', 'evalue': 'm',"
                                + " 'traceback': ['t'], 'user_expressions': {}, 'payload': []}"),
                Arguments.of(
                        "execute_reply", new Reply.ExecutionAborted(), "{'status': 'aborted'}"),
                Arguments.of(
                        "complete_reply",
                        new Reply.Completed(
                                "\uD83D\uDE00ab",
                                List.of(new Reply.Completed.Match("abc", "method", "()")),
                                2,
                                4),
                        "{'status': 'ok', 'matches': ['abc'], 'cursor_start': 1, 'cursor_end': 3,"
                                + " 'metadata': {'_jupyter_types_experimental': [{'start': 1, 'end': 3,"
                                + " 'text': 'abc', 'type': 'method', 'signature': '()'}]}}"),
                Arguments.of(
                        "inspect_reply",
                        new Reply.Inspected(Optional.of(BUNDLE)),
                        "{'status': 'ok', 'found': true, 'data': {'text/plain': '5'}, 'metadata':"
                                + " {'image/png': {'width': 2}}}"),
                Arguments.of(
                        "inspect_reply",
                        new Reply.Inspected(Optional.empty()),
                        "{'status': 'ok', 'found': false, 'data': {}, 'metadata': {}}"),
                Arguments.of(
                        "is_complete_reply",
                        new Reply.IsComplete("incomplete", "  "),
                        "{'status': 'incomplete', 'indent': '  '}"),
                Arguments.of(
                        "is_complete_reply",
                        new Reply.IsComplete("complete", "  "),
                        "{'status': 'complete'}"),
                Arguments.of(
                        "history_reply",
                        new Reply.History(
                                List.of(new Reply.Line(1, 2, "x", Optional.of("5"))), false),
                        "{'status': 'ok', 'history': [[1, 2, 'x']]}"),
                Arguments.of(
                        "history_reply",
                        new Reply.History(
                                List.of(
                                        new Reply.Line(1, 2, "x", Optional.of("5")),
                                        new Reply.Line(1, 3, "y", Optional.empty())),
                                true),
                        "{'status': 'ok', 'history': [[1, 2, ['x', '5']], [1, 3, ['y', null]]]}"),
                Arguments.of(
                        "comm_info_reply",
                        new Reply.CommInfo(Map.of("c", "chat")),
                        "{'status': 'ok', 'comms': {'c': {'target_name': 'chat'}}}"),
                Arguments.of("interrupt_reply", new Reply.Interrupted(), "{'status': 'ok'}"),
                Arguments.of(
                        "usage_reply",
                        new Reply.Usage(Map.of("pid", 1)),
                        "{'status': 'ok', 'pid': 1}"),
                Arguments.of(
                        "create_subshell_reply",
                        new Reply.SubshellCreated("s"),
                        "{'status': 'ok', 'subshell_id': 's'}"),
                Arguments.of(
                        "delete_subshell_reply", new Reply.SubshellDeleted(), "{'status': 'ok'}"),
                Arguments.of(
                        "list_subshell_reply",
                        new Reply.Subshells(List.of("s")),
                        "{'status': 'ok', 'subshell_id': ['s']}"),
                Arguments.of(
                        "shutdown_reply",
                        new Reply.ShutDown(true),
                        "{'status': 'ok', 'restart': true}"),
                Arguments.of(
                        "debug_reply",
                        new Reply.NoDebugger(9, "attach"),
                        "{'status': 'error', 'type': 'response', 'seq': 9, 'request_seq': 9,"
                                + " 'success': false, 'command': 'attach', 'message': 'this kernel has"
                                + " no debugger', 'body': {}}"),
                Arguments.of(
                        "complete_reply",
                        new Reply.Failed("complete_reply", FAILURE),
                        "{'status': 'error', 'ename': 'E', 'evalue': 'm', 'traceback': ['t']}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("publications")
    void aPublicationSaysWhatTheProtocolAsks(String type, Publication said, String json) {
        assertThat(said.type()).isEqualTo(type);
        same(said.content(), json);
    }

    static Stream<Arguments> publications() {
        var payload = new CommPayload(Map.of("v", 1), Map.of("m", 2), List.of(new byte[] {3}));
        return Stream.of(
                Arguments.of("status", Publication.Status.BUSY, "{'execution_state': 'busy'}"),
                Arguments.of("status", Publication.Status.IDLE, "{'execution_state': 'idle'}"),
                Arguments.of(
                        "status", Publication.Status.STARTING, "{'execution_state': 'starting'}"),
                Arguments.of(
                        "execute_input",
                        new Publication.ExecuteInput("x", 2),
                        "{'code': 'x', 'execution_count': 2}"),
                Arguments.of(
                        "stream",
                        new Publication.Stream("stderr", "a\n"),
                        "{'name': 'stderr', 'text': 'a\\n'}"),
                Arguments.of(
                        "execute_result",
                        new Publication.ExecuteResult(2, BUNDLE, Optional.of("i")),
                        "{'data': {'text/plain': '5'}, 'metadata': {'image/png': {'width': 2}},"
                                + " 'transient': {'display_id': 'i'}, 'execution_count': 2}"),
                Arguments.of(
                        "display_data",
                        new Publication.Display(BUNDLE, Optional.empty()),
                        "{'data': {'text/plain': '5'}, 'metadata': {'image/png': {'width': 2}},"
                                + " 'transient': {}}"),
                Arguments.of(
                        "update_display_data",
                        new Publication.UpdateDisplay(BUNDLE, "i"),
                        "{'data': {'text/plain': '5'}, 'metadata': {'image/png': {'width': 2}},"
                                + " 'transient': {'display_id': 'i'}}"),
                Arguments.of("clear_output", new Publication.ClearOutput(true), "{'wait': true}"),
                Arguments.of(
                        "error",
                        new Publication.Error(FAILURE),
                        "{'ename': 'E', 'evalue': 'm', 'traceback': ['t']}"),
                Arguments.of(
                        "comm_open",
                        new Publication.CommOpened("c", "t", payload),
                        "{'comm_id': 'c', 'target_name': 't', 'data': {'v': 1}}"),
                Arguments.of(
                        "comm_msg",
                        new Publication.CommSaid("c", payload),
                        "{'comm_id': 'c', 'data': {'v': 1}}"),
                Arguments.of(
                        "comm_close",
                        new Publication.CommClosed("c", payload),
                        "{'comm_id': 'c', 'data': {'v': 1}}"),
                Arguments.of(
                        "iopub_welcome", new Publication.Welcome("a"), "{'subscription': 'a'}"),
                Arguments.of(
                        "shutdown_reply",
                        new Publication.Leaving(true),
                        "{'status': 'ok', 'restart': true}"),
                Arguments.of(
                        "input_request",
                        new Publication.InputRequest("name: ", true),
                        "{'prompt': 'name: ', 'password': true}"));
    }

    @Test
    void aCommSaysItsMetadataAndBuffersBesideTheContent() {
        var buffers = List.of(new byte[] {3});
        var said =
                new Publication.CommSaid(
                        "c", new CommPayload(Map.of(), Map.of("version", "2.1.0"), buffers));
        assertThat(said.metadata()).isEqualTo(Map.of("version", "2.1.0"));
        assertThat(said.buffers()).isEqualTo(buffers);
        assertThat(Publication.Status.IDLE.metadata()).isEmpty();
        assertThat(Publication.Status.IDLE.buffers()).isEmpty();
    }

    @Test
    void theKernelSaysWhoItIs() {
        var said = new Reply.KernelInfo("7", "25.0.1").content();
        assertThat(said)
                .containsEntry("status", "ok")
                .containsEntry("protocol_version", "5.6")
                .containsEntry("implementation", "meshbook")
                .containsEntry("implementation_version", "7")
                .containsEntry("debugger", false)
                .containsEntry("supported_features", List.of("kernel subshells"));
        assertThat(String.valueOf(said.get("banner"))).contains("7", "25.0.1");
        assertThat(said.get("language_info"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("name", "java")
                .containsEntry("version", "25.0.1")
                .containsEntry("file_extension", ".jshell");
        assertThat((List<?>) said.get("help_links")).hasSize(1);
        assertThat(new Reply.KernelInfo("7", "25").type()).isEqualTo("kernel_info_reply");
    }

    private static void same(Map<String, Object> content, String json) {
        var mapper = JsonMapper.shared();
        var written = new String(MessageCodec.write(content), UTF_8);
        assertThat(mapper.readTree(written)).isEqualTo(mapper.readTree(json.replace('\'', '"')));
    }
}
