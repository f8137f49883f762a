package org.meshbook.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.ScriptedEngine;
import org.meshbook.kernel.session.JupyterClient.Message;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.ConnectionFile;
import org.meshbook.kernel.wire.Envelope;
import org.meshbook.kernel.wire.Inbox;
import org.meshbook.kernel.wire.KernelSockets;

/// A session behind real sockets, with a scripted engine.
@Timeout(60)
class KernelSessionTest {
    private static final String KEY = "secret";

    private final ScriptedEngine engine = new ScriptedEngine();
    private final CompletableFuture<CellEngine> engines = new CompletableFuture<>();
    private final KernelSockets sockets = KernelSockets.bind(anywhere());
    private final KernelSession session =
            new KernelSession(sockets, engines, new KernelSession.About("1", "25", Map.of()));
    private final JupyterClient client = new JupyterClient(sockets, KEY);

    private final Semaphore arrivals = new Semaphore(0);

    /// Waits until so many requests have come, so that it is known what is queued.
    private void awaitArrivals(int count) throws InterruptedException {
        assertThat(arrivals.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
        assertThat(engine.held.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static ConnectionFile anywhere() {
        var ports = new HashMap<Channel, Integer>();
        for (var channel : Channel.values()) {
            ports.put(channel, 0);
        }
        return new ConnectionFile("tcp", "127.0.0.1", ports, "hmac-sha256", KEY);
    }

    @BeforeEach
    void serve() {
        engines.complete(engine);
        begin();
    }

    private void begin() {
        session.start();
        sockets.serve(
                new Inbox() {
                    @Override
                    public void received(Channel channel, Envelope envelope) {
                        session.received(channel, envelope);
                        if (channel == Channel.SHELL) {
                            arrivals.release();
                        }
                    }

                    @Override
                    public Envelope welcome(String topic) {
                        return session.welcome(topic);
                    }
                });
        // A subscription takes effect when it arrives; nothing may be sent before.
        client.published("", message -> message.type().equals("iopub_welcome"));
    }

    @AfterEach
    void end() {
        engine.release();
        session.end();
        client.close();
        sockets.close();
    }

    private Message reply(String id) {
        return client.reply(Channel.SHELL, id);
    }

    private Message ask(String type, Map<String, ?> content) {
        return reply(client.send(Channel.SHELL, type, content));
    }

    @Test
    void idleComesLastAndOutputKeepsItsOrder() {
        var id = client.execute("print one\nerr two\nshow a three\nprint four\nresult five");

        assertThat(reply(id).content().path("execution_count").asInt()).isEqualTo(1);
        assertThat(JupyterClient.kinds(client.published(id)))
                .containsExactly(
                        "busy",
                        "execute_input",
                        "stream",
                        "stream",
                        "display_data",
                        "stream",
                        "execute_result",
                        "idle");
    }

    @Test
    void everyLineOfAFloodArrivesInFewMessages() {
        var messages = client.published(client.execute("lines 100000"));

        var wanted = new StringBuilder();
        IntStream.range(0, 100_000).forEach(n -> wanted.append("line ").append(n).append('\n'));
        assertThat(JupyterClient.printed(messages, "stdout")).isEqualTo(wanted.toString());
        assertThat(messages).hasSizeLessThan(2_000);
    }

    @Test
    void carriageReturnsAndPairsOfSurrogatesStayWhole() {
        var text = "10 %\r20 %\rhorse \uD83D\uDC0E";
        var messages = client.published(client.execute("put " + text));
        assertThat(JupyterClient.printed(messages, "stdout")).isEqualTo(text);
    }

    @Test
    void aFailureAbortsWhatIsQueued() throws InterruptedException {
        var first = client.execute("hold\nfail Boom");
        var second = client.execute("print no");
        var info = client.send(Channel.SHELL, "kernel_info_request", Map.of());
        awaitArrivals(3);
        engine.release();

        assertThat(reply(first).field("ename")).isEqualTo("Boom");
        assertThat(reply(second).field("status")).isEqualTo("aborted");
        assertThat(reply(info).field("status")).isEqualTo("ok");
        assertThat(JupyterClient.kinds(client.published(first))).contains("error");
        assertThat(JupyterClient.kinds(client.published(second))).containsExactly("busy", "idle");
        assertThat(reply(client.execute("print yes")).field("status")).isEqualTo("ok");
    }

    @Test
    void aFailureAbortsNothingIfNotAsked() throws InterruptedException {
        var first = client.execute("hold\nfail Boom", Map.of("stop_on_error", false));
        var second = client.execute("print yes");
        awaitArrivals(2);
        engine.release();

        assertThat(reply(first).field("status")).isEqualTo("error");
        assertThat(reply(second).field("status")).isEqualTo("ok");
    }

    @Test
    void anInterruptFreesTheCellAndAbortsWhatIsQueued() throws InterruptedException {
        var first = client.execute("hold");
        var second = client.execute("print no");
        awaitArrivals(2);
        var interrupt = client.send(Channel.CONTROL, "interrupt_request", Map.of());

        assertThat(client.reply(Channel.CONTROL, interrupt).field("status")).isEqualTo("ok");
        assertThat(reply(first).field("ename")).isEqualTo("KeyboardInterrupt");
        assertThat(reply(second).field("status")).isEqualTo("aborted");
        assertThat(JupyterClient.kinds(client.published(first))).endsWith("error", "idle");
        assertThat(reply(client.execute("print yes")).field("status")).isEqualTo("ok");
    }

    @Test
    void anInterruptOfAnIdleKernelAbortsNothing() {
        var interrupt = client.send(Channel.CONTROL, "interrupt_request", Map.of());
        client.reply(Channel.CONTROL, interrupt);
        assertThat(reply(client.execute("print yes")).field("status")).isEqualTo("ok");
    }

    @Test
    void silentPublishesOnlyStatusAndIsNotCounted() {
        var id = client.execute("print x\nshow a b\nresult 2", Map.of("silent", true));
        assertThat(reply(id).content().path("execution_count").asInt()).isZero();
        assertThat(JupyterClient.kinds(client.published(id))).containsExactly("busy", "idle");
        assertThat(history(Map.of("hist_access_type", "tail", "n", 5))).isEmpty();
    }

    @Test
    void notStoredIsShownButNotCounted() {
        reply(client.execute("result 1"));
        var id = client.execute("result 2", Map.of("store_history", false));
        assertThat(reply(id).content().path("execution_count").asInt()).isEqualTo(1);
        assertThat(JupyterClient.kinds(client.published(id))).contains("execute_result");
        assertThat(history(Map.of("hist_access_type", "tail", "n", 5))).hasSize(1);
    }

    @Test
    void userExpressionsAreEvaluatedOneByOne() {
        var expressions = Map.of("a", "6 * 7", "b", "fail");
        var id = client.execute("print x", Map.of("user_expressions", expressions));
        var values = reply(id).content().path("user_expressions");
        assertThat(values.at("/a/data").path("text/plain").asString()).isEqualTo("6 * 7");
        assertThat(values.at("/b/status").asString()).isEqualTo("error");
    }

    @Test
    void historyIsFoundByTailRangeAndPattern() {
        for (var code : List.of("print a", "result 42", "print b", "print a")) {
            reply(client.execute(code));
        }
        assertThat(history(Map.of("hist_access_type", "tail", "n", 2)))
                .containsExactly("[1,3,\"print b\"]", "[1,4,\"print a\"]");
        assertThat(
                        history(
                                Map.of(
                                        "hist_access_type",
                                        "range",
                                        "session",
                                        0,
                                        "start",
                                        2,
                                        "stop",
                                        3,
                                        "output",
                                        true)))
                .containsExactly("[1,2,[\"result 42\",\"42\"]]");
        assertThat(history(Map.of("hist_access_type", "search", "pattern", "p?int [!b]")))
                .containsExactly("[1,1,\"print a\"]", "[1,4,\"print a\"]");
        assertThat(
                        history(
                                Map.of(
                                        "hist_access_type",
                                        "search",
                                        "pattern",
                                        "print*",
                                        "unique",
                                        true)))
                .containsExactly("[1,3,\"print b\"]", "[1,4,\"print a\"]");
    }

    private List<String> history(Map<String, ?> query) {
        var found = ask("history_request", query).content().path("history");
        return found.valueStream().map(Object::toString).toList();
    }

    @Test
    void cursorsAreCountedInCodePoints() {
        var code = "s = \"\uD83D\uDC0E\".le and more";
        var completed = ask("complete_request", Map.of("code", code, "cursor_pos", 10)).content();
        assertThat(completed.path("cursor_start").asInt()).isEqualTo(9);
        assertThat(completed.path("cursor_end").asInt()).isEqualTo(10);
        assertThat(completed.path("matches").get(0).asString())
                .isEqualTo("s = \"\uD83D\uDC0E\".le!");
        var inspected = ask("inspect_request", Map.of("code", code, "cursor_pos", 10)).content();
        assertThat(inspected.at("/data").path("text/plain").asString()).endsWith("@11");
    }

    @Test
    void completenessIsPassedOn() {
        var open = ask("is_complete_request", Map.of("code", "for {")).content();
        assertThat(open.path("status").asString()).isEqualTo("incomplete");
        assertThat(open.path("indent").asString()).isEqualTo("    ");
        var closed = ask("is_complete_request", Map.of("code", "x")).content();
        assertThat(closed.path("status").asString()).isEqualTo("complete");
    }

    @Test
    void errorsOfTheEngineAreAnswers() {
        assertThat(ask("complete_request", Map.of("code", "rude")).field("ename"))
                .isEqualTo("StackOverflowError");
        assertThat(reply(client.execute("rude")).field("ename")).isEqualTo("StackOverflowError");
        assertThat(reply(client.execute("print x")).field("status")).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wrong signature",
                "unknown type",
                "broken JSON",
                "no code",
                "cut short",
                "noise"
            })
    void nothingThatArrivesEndsAChannel(String kind) {
        for (var channel : List.of(Channel.SHELL, Channel.CONTROL, Channel.STDIN)) {
            switch (kind) {
                case "wrong signature" ->
                        client.send(channel, "kernel_info_request", "{}", "other");
                case "unknown type" -> client.send(channel, "no_such_request", "{}", KEY);
                case "broken JSON" -> client.send(channel, "execute_request", "{not json", KEY);
                case "no code" -> client.send(channel, "execute_request", "{}", KEY);
                case "cut short" -> client.raw(channel, List.of("<IDS|MSG>", "", "{}"));
                default -> client.raw(channel, List.of("hello"));
            }
        }
        for (var channel : List.of(Channel.SHELL, Channel.CONTROL)) {
            var id = client.send(channel, "kernel_info_request", Map.of());
            assertThat(client.reply(channel, id).field("status")).isEqualTo("ok");
        }
    }

    @Test
    void controlIsServedWhileACellRuns() throws InterruptedException {
        var cell = client.execute("hold");
        assertThat(engine.held.await(10, TimeUnit.SECONDS)).isTrue();
        var info = client.send(Channel.CONTROL, "kernel_info_request", Map.of());
        assertThat(client.reply(Channel.CONTROL, info).field("protocol_version")).isEqualTo("5.6");
        engine.release();
        assertThat(reply(cell).field("status")).isEqualTo("ok");
    }

    @Test
    void outputAfterTheCellsEndStaysItsOwn() {
        var cell = client.execute("late here I am");
        reply(cell);
        client.published(cell);
        reply(client.execute("print other"));
        engine.release();
        var late = client.published(cell, message -> message.type().equals("stream"));
        assertThat(JupyterClient.printed(late, "stdout")).isEqualTo("here I am");
    }

    @Test
    void theUserIsAskedOnStdin() {
        var cell = client.execute("ask name?", Map.of("allow_stdin", true));
        var question = client.question();
        assertThat(question.field("prompt")).isEqualTo("name?");
        assertThat(question.of(cell)).isTrue();
        client.send(Channel.STDIN, "input_reply", Map.of("value", "Ann"));
        assertThat(JupyterClient.printed(client.published(cell), "stdout")).isEqualTo("Ann\n");
    }

    @Test
    void aFrontEndWithoutInputIsNotAsked() {
        var cell = client.execute("ask name?", Map.of("allow_stdin", false));
        assertThat(reply(cell).field("ename")).contains("cannot be asked");
    }

    @Test
    void anInterruptEndsAQuestion() {
        var cell = client.execute("ask name?", Map.of("allow_stdin", true));
        client.question();
        client.send(Channel.CONTROL, "interrupt_request", Map.of());
        assertThat(reply(cell).field("ename")).isEqualTo("KeyboardInterrupt");
    }

    @Test
    void commsThatNobodyTakesAreClosed() {
        var id =
                client.send(
                        Channel.SHELL,
                        "comm_open",
                        Map.of("comm_id", "c1", "target_name", "jupyter.widget", "data", Map.of()));
        assertThat(JupyterClient.kinds(client.published(id)))
                .containsExactly("busy", "comm_close", "idle");
        assertThat(ask("comm_info_request", Map.of()).field("status")).isEqualTo("ok");
    }

    @Test
    void shutdownClosesTheEngineAnswersAndEnds() throws InterruptedException {
        var id = client.send(Channel.CONTROL, "shutdown_request", Map.of("restart", true));
        var reply = client.reply(Channel.CONTROL, id);
        assertThat(reply.field("status")).isEqualTo("ok");
        assertThat(reply.content().path("restart").asBoolean()).isTrue();
        assertThat(engine.closed.getCount()).isZero();
        assertThat(engine.restart).isTrue();
        assertThat(JupyterClient.kinds(client.published(id)))
                .containsExactly("busy", "shutdown_reply", "idle");
        session.awaitEnd();
    }

    @Test
    void aCellThatExitsEndsTheKernel() throws InterruptedException {
        var id = client.execute("exit");
        assertThat(reply(id).content().at("/payload/0/source").asString()).isEqualTo("ask_exit");
        client.published(id);
        session.awaitEnd();
        assertThat(engine.restart).isFalse();
    }

    @Test
    void eachSubscriberGetsOneWelcomeOfItsOwn() {
        var second = client.subscriber(sockets.port(Channel.IOPUB));
        try {
            var welcome = client.next(second, _ -> true);
            assertThat(welcome.type()).isEqualTo("iopub_welcome");
            assertThat(welcome.parent().isEmpty()).isTrue();

            var cell = client.execute("print both");
            assertThat(JupyterClient.printed(client.published(cell), "stdout")).isEqualTo("both\n");
            client.next(second, message -> message.of(cell) && message.kind().equals("idle"));
            assertThat(client.kept()).noneMatch(message -> message.type().endsWith("welcome"));
        } finally {
            second.close();
        }
    }
}
