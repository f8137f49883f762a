package org.meshbook.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.session.JupyterClient.Message;
import org.meshbook.kernel.wire.Channel;

/// Subshells: cells beside each other, each shell with its own queue, count and history.
@Timeout(60)
class SubshellTest {
    private final ServedSession served = new ServedSession(true);
    private final JupyterClient client = served.client;

    @AfterEach
    void end() {
        served.close();
    }

    private Message control(String type, Map<String, ?> content) {
        return client.reply(Channel.CONTROL, client.send(Channel.CONTROL, type, content));
    }

    private String create() {
        return control("create_subshell_request", Map.of()).field("subshell_id");
    }

    private String execute(String subshell, String code) {
        return client.send(subshell, Channel.SHELL, "execute_request", Map.of("code", code));
    }

    private Message reply(String id) {
        return client.reply(Channel.SHELL, id);
    }

    private void awaitWaiting(int cells) throws InterruptedException {
        assertThat(served.engine.waiting.tryAcquire(cells, 20, TimeUnit.SECONDS)).isTrue();
    }

    private List<String> ids() {
        var found = control("list_subshell_request", Map.of()).content().path("subshell_id");
        return found.valueStream().map(node -> node.asString("")).toList();
    }

    @Test
    void theFeatureIsAnnounced() {
        var info = control("kernel_info_request", Map.of()).content();
        assertThat(info.path("supported_features").get(0).asString()).isEqualTo("kernel subshells");
    }

    @Test
    void subshellsAreCreatedListedAndDeleted() {
        var first = create();
        var second = create();
        assertThat(ids()).containsExactly(first, second);
        assertThat(control("delete_subshell_request", Map.of("subshell_id", first)).field("status"))
                .isEqualTo("ok");
        assertThat(ids()).containsExactly(second);
    }

    @Test
    void oneThatIsNotThereIsAnError() {
        var deleted = control("delete_subshell_request", Map.of("subshell_id", "nobody"));
        assertThat(deleted.field("status")).isEqualTo("error");
        assertThat(deleted.field("evalue")).contains("'nobody'");

        var id = execute("nobody", "print x");
        assertThat(reply(id).field("status")).isEqualTo("error");
        assertThat(JupyterClient.kinds(client.published(id))).containsExactly("busy", "idle");
    }

    @Test
    void aCommMessageToNobodyHasNoReplyButItsIdle() {
        var id =
                client.send(
                        "nobody",
                        Channel.SHELL,
                        "comm_msg",
                        Map.of("comm_id", "c", "data", Map.of()));
        assertThat(JupyterClient.kinds(client.published(id))).containsExactly("busy", "idle");
    }

    @Test
    void cellsRunBesideEachOtherAndEachShellCounts() throws InterruptedException {
        var main = client.execute("wait");
        awaitWaiting(1);
        var sub = create();
        assertThat(count(execute(sub, "print here"))).isEqualTo(1);
        var id = execute(sub, "print again");
        assertThat(count(id)).isEqualTo(2);
        var published = client.published(id);
        assertThat(published.getFirst().parent().path("subshell_id").asString()).isEqualTo(sub);
        client.send(Channel.CONTROL, "interrupt_request", Map.of());
        assertThat(count(main)).isEqualTo(1);
    }

    private int count(String id) {
        return reply(id).content().path("execution_count").asInt();
    }

    @Test
    void anInterruptStopsOnlyTheMainShellAndItsQueue() throws InterruptedException {
        var sub = create();
        var there = execute(sub, "wait");
        var behind = execute(sub, "print fine");
        var here = client.execute("wait");
        awaitWaiting(2);
        control("interrupt_request", Map.of());
        assertThat(reply(here).field("ename")).isEqualTo("KeyboardInterrupt");

        var interrupt = client.send(sub, Channel.CONTROL, "interrupt_request", Map.of());
        assertThat(client.reply(Channel.CONTROL, interrupt).field("status")).isEqualTo("ok");
        assertThat(reply(there).field("ename")).isEqualTo("KeyboardInterrupt");
        assertThat(reply(behind).field("status")).isEqualTo("aborted");
        assertThat(reply(execute(sub, "print fine")).field("status")).isEqualTo("ok");
    }

    @Test
    void anInterruptOfNobodyIsAnError() {
        var id = client.send("nobody", Channel.CONTROL, "interrupt_request", Map.of());
        assertThat(client.reply(Channel.CONTROL, id).field("status")).isEqualTo("error");
    }

    @Test
    void aFailureAbortsOnlyItsOwnQueue() throws InterruptedException {
        var sub = create();
        var here = client.execute("hold\nprint fine");
        assertThat(served.engine.held.await(20, TimeUnit.SECONDS)).isTrue();
        var behind = client.execute("print fine");
        assertThat(reply(execute(sub, "fail Boom")).field("ename")).isEqualTo("Boom");
        served.engine.release();
        assertThat(reply(here).field("status")).isEqualTo("ok");
        assertThat(reply(behind).field("status")).isEqualTo("ok");
    }

    @Test
    void deletingOneStopsItsCellAndAnswersWhatIsQueued() throws InterruptedException {
        var sub = create();
        var running = execute(sub, "wait");
        var queued = execute(sub, "print no");
        awaitWaiting(1);
        control("delete_subshell_request", Map.of("subshell_id", sub));
        assertThat(reply(running).field("ename")).isEqualTo("KeyboardInterrupt");
        assertThat(reply(queued).field("status")).isEqualTo("aborted");
        assertThat(reply(execute(sub, "print no")).field("status")).isEqualTo("error");
    }

    @Test
    void eachShellHasItsOwnHistory() {
        var sub = create();
        reply(client.execute("print main"));
        reply(execute(sub, "print sub"));
        var query = Map.of("hist_access_type", "range", "session", 0, "start", 0);
        var main = reply(client.send(Channel.SHELL, "history_request", query));
        assertThat(main.content().path("history").toString()).isEqualTo("[[1,1,\"print main\"]]");
        var there = reply(client.send(sub, Channel.SHELL, "history_request", query));
        assertThat(there.content().path("history").toString()).isEqualTo("[[1,1,\"print sub\"]]");
    }

    @Test
    void twoQuestionsAtOnceAreAnsweredEachByItsOwn() {
        var sub = create();
        var here = client.execute("ask here?");
        var first = client.question();
        var there = execute(sub, "ask there?");
        var second = client.question();
        assertThat(second.header().path("subshell_id").asString()).isEqualTo(sub);
        client.answer(second, "THERE");
        client.answer(first, "HERE");
        assertThat(JupyterClient.printed(client.published(here), "stdout")).isEqualTo("HERE\n");
        assertThat(JupyterClient.printed(client.published(there), "stdout")).isEqualTo("THERE\n");
    }

    @Test
    void anAnswerThatNamesOnlyItsShellFindsItsQuestion() {
        var sub = create();
        var here = client.execute("ask here?");
        client.question();
        var there = execute(sub, "ask there?");
        client.question();
        client.send(sub, Channel.STDIN, "input_reply", Map.of("value", "THERE"));
        assertThat(JupyterClient.printed(client.published(there), "stdout")).isEqualTo("THERE\n");
        client.send(Channel.STDIN, "input_reply", Map.of("value", "HERE"));
        assertThat(JupyterClient.printed(client.published(here), "stdout")).isEqualTo("HERE\n");
    }

    @Test
    void aLateAnswerToAnInterruptedQuestionIsNotTheNextOnes() {
        var interrupted = client.execute("ask old?");
        var old = client.question();
        control("interrupt_request", Map.of());
        reply(interrupted);
        var cell = client.execute("ask new?");
        var fresh = client.question();
        client.answer(old, "late");
        client.answer(fresh, "fresh");
        assertThat(JupyterClient.printed(client.published(cell), "stdout")).isEqualTo("fresh\n");
    }

    @Test
    void aPasswordIsAskedForAsOne() {
        var cell = client.execute("secret word?");
        var question = client.question();
        assertThat(question.content().path("password").asBoolean()).isTrue();
        client.answer(question, "s3cret");
        assertThat(JupyterClient.printed(client.published(cell), "stdout")).isEqualTo("s3cret");
    }

    @Test
    void questionsAboutCodeAreAnsweredWhileACellRuns() throws InterruptedException {
        var cell = client.execute("wait");
        awaitWaiting(1);
        for (var type : List.of("complete_request", "inspect_request", "is_complete_request")) {
            var id = client.send(Channel.SHELL, type, Map.of("code", "abc", "cursor_pos", 2));
            assertThat(reply(id).type()).isEqualTo(type.replace("request", "reply"));
            assertThat(JupyterClient.kinds(client.published(id))).containsExactly("busy", "idle");
        }
        for (var type : List.of("kernel_info_request", "history_request", "comm_info_request")) {
            var id = client.send(Channel.SHELL, type, Map.of());
            assertThat(reply(id).field("status")).isEqualTo("ok");
        }
        control("interrupt_request", Map.of());
        assertThat(reply(cell).field("ename")).isEqualTo("KeyboardInterrupt");
        // Whoever looks at the last status only must not take the kernel for idle meanwhile.
        assertThat(JupyterClient.kinds(client.published(cell)))
                .containsExactly(
                        "busy", "execute_input", "busy", "busy", "busy", "busy", "error", "idle");
    }

    @Test
    void aRequestOnTheWrongChannelIsToldSo() {
        assertThat(control("execute_request", Map.of("code", "print x")).field("evalue"))
                .contains("shell");
    }

    @Test
    void anOlderFrontEndShutsDownOnShell() throws InterruptedException {
        var id = client.send(Channel.SHELL, "shutdown_request", Map.of("restart", false));
        assertThat(reply(id).field("status")).isEqualTo("ok");
        served.session.awaitEnd();
    }

    @Test
    void usageIsToldInTheWordsOfOtherKernels() {
        var usage = control("usage_request", Map.of()).content();
        assertThat(usage.path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(usage.path("kernel_memory").asLong()).isGreaterThan(10L << 20);
        assertThat(usage.at("/kernel_heap/used").asLong()).isPositive();
        assertThat(usage.at("/host_virtual_memory/total").asLong()).isPositive();
        var burnt = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < burnt) {
            Thread.onSpinWait();
        }
        var later = control("usage_request", Map.of()).content();
        assertThat(later.path("kernel_cpu").asDouble()).isPositive();
    }
}
