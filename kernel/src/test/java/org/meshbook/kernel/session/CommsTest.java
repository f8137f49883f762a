package org.meshbook.kernel.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.session.JupyterClient.Message;
import org.meshbook.kernel.spi.Comm;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.wire.Channel;

/// Conversations with the front end, over real sockets.
@Timeout(60)
class CommsTest {
    private final ServedSession served = new ServedSession(true);
    private final JupyterClient client = served.client;
    private final BlockingQueue<Comm> comms = new ArrayBlockingQueue<>(9);

    @AfterEach
    void end() {
        served.close();
    }

    private List<Message> using(Consumer<Comms> code) {
        served.engine.conversation = output -> code.accept(output.comms().orElseThrow());
        return client.published(client.execute("print first\nuse"));
    }

    private String say(String type, Map<String, ?> content) {
        return client.send(Channel.SHELL, type, content);
    }

    private static Message of(List<Message> messages, String type) {
        return messages.stream().filter(m -> m.type().equals(type)).findFirst().orElseThrow();
    }

    private String opened() throws InterruptedException {
        using(all -> comms.add(all.open("chat", Comm.Message.of(Map.of()))));
        return comms.element().id();
    }

    @Test
    void aCellOpensAConversationAfterWhatItPrinted() {
        var first =
                new Comm.Message(
                        Map.of("state", Map.of("list", List.of(1, 2.5, true, "x"))),
                        Map.of("version", "2.1.0"),
                        List.of(new byte[] {0, -1, 7}));
        var messages = using(all -> comms.add(all.open("jupyter.widget", first)));

        assertThat(JupyterClient.kinds(messages))
                .containsExactly("busy", "execute_input", "stream", "comm_open", "idle");
        var open = of(messages, "comm_open");
        assertThat(open.field("target_name")).isEqualTo("jupyter.widget");
        assertThat(open.field("comm_id")).isEqualTo(comms.element().id());
        assertThat(open.content().at("/data/state/list").toString())
                .isEqualTo("[1,2.5,true,\"x\"]");
        assertThat(open.metadata().path("version").asString()).isEqualTo("2.1.0");
        assertThat(open.buffers()).containsExactly(new byte[] {0, -1, 7});
    }

    @Test
    void openConversationsAreListedByTarget() {
        using(all -> comms.add(all.open("a", Comm.Message.of(Map.of()))));
        using(all -> comms.add(all.open("b", Comm.Message.of(Map.of()))));
        assertThat(listed(Map.of())).hasSize(2);
        assertThat(listed(Map.of("target_name", "b"))).hasSize(1);
        assertThat(listed(Map.of("target_name", "c"))).isEmpty();
        using(_ -> comms.remove().close(Comm.Message.of(Map.of())));
        assertThat(listed(Map.of())).hasSize(1);
    }

    private Map<String, Object> listed(Map<String, ?> query) {
        var reply = client.reply(Channel.SHELL, say("comm_info_request", query));
        var found = new java.util.HashMap<String, Object>();
        reply.content()
                .path("comms")
                .properties()
                .forEach(e -> found.put(e.getKey(), e.getValue().path("target_name").asString()));
        return found;
    }

    @Test
    void whatTheFrontEndSaysIsHeardWithItsBuffers() throws InterruptedException {
        var heard = new ArrayBlockingQueue<Comm.Message>(1);
        var id = opened();
        comms.element().onMessage(heard::add);
        client.send(
                Channel.SHELL,
                "comm_msg",
                "{\"comm_id\": \"%s\", \"data\": {\"n\": [1, null]}}".formatted(id),
                ServedSession.KEY,
                List.of("raw".getBytes(UTF_8)));
        var message = heard.poll(20, TimeUnit.SECONDS);
        assertThat(String.valueOf(message.data().get("n"))).isEqualTo("[1, null]");
        assertThat(message.buffers()).containsExactly("raw".getBytes(UTF_8));
    }

    @Test
    void aCallbackAnswers() throws InterruptedException {
        var id = opened();
        var comm = comms.element();
        comm.onMessage(heard -> comm.send(Comm.Message.of(Map.of("echo", heard.data()))));
        var said = say("comm_msg", Map.of("comm_id", id, "data", Map.of("n", 1)));
        var messages = client.published(said);
        // The scripted engine binds no cell: the one who opened it speaks.
        assertThat(JupyterClient.kinds(messages)).containsExactly("busy", "idle");
        assertThat(client.kept()).anyMatch(m -> m.content().at("/data/echo/n").asInt(0) == 1);
    }

    @Test
    void aCallbackThatThrowsShowsItsTraceAndNothingDies() throws InterruptedException {
        var id = opened();
        comms.element()
                .onMessage(
                        _ -> {
                            throw new IllegalStateException("as asked");
                        });
        var messages = client.published(say("comm_msg", Map.of("comm_id", id, "data", Map.of())));
        assertThat(JupyterClient.printed(messages, "stderr")).contains("as asked");
        assertThat(JupyterClient.kinds(messages)).endsWith("idle");
        assertThat(listed(Map.of())).containsKey(id);
    }

    @Test
    void aCallbackThatHangsIsInterrupted() throws InterruptedException {
        var id = opened();
        var held = new ArrayBlockingQueue<String>(1);
        comms.element()
                .onMessage(
                        _ -> {
                            held.add("here");
                            try {
                                new java.util.concurrent.CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException("stopped", e);
                            }
                        });
        var said = say("comm_msg", Map.of("comm_id", id, "data", Map.of()));
        assertThat(held.poll(20, TimeUnit.SECONDS)).isEqualTo("here");
        client.send(Channel.CONTROL, "interrupt_request", Map.of());
        assertThat(JupyterClient.printed(client.published(said), "stderr")).contains("stopped");
    }

    @Test
    void aConversationOfTheFrontEndGoesToWhoeverRegistered() throws InterruptedException {
        using(all -> all.register("chat", (comm, first) -> comms.add(comm)));
        var open =
                Map.of("comm_id", "mine", "target_name", "chat", "data", Map.of("hello", "there"));
        assertThat(JupyterClient.kinds(client.published(say("comm_open", open))))
                .containsExactly("busy", "idle");
        assertThat(listed(Map.of())).containsOnly(Map.entry("mine", "chat"));

        var closed = new ArrayBlockingQueue<Comm.Message>(1);
        comms.element().onClose(closed::add);
        say("comm_close", Map.of("comm_id", "mine", "data", Map.of("why", "done")));
        assertThat(closed.poll(20, TimeUnit.SECONDS).data()).containsEntry("why", "done");
        assertThat(listed(Map.of())).isEmpty();
    }

    @Test
    void whoThrowsWhileItIsOpenedDoesNotKeepIt() {
        using(
                all ->
                        all.register(
                                "chat",
                                (_, _) -> {
                                    throw new IllegalStateException("not now");
                                }));
        var open = Map.of("comm_id", "mine", "target_name", "chat", "data", Map.of());
        var messages = client.published(say("comm_open", open));
        assertThat(JupyterClient.kinds(messages)).contains("comm_close");
        assertThat(JupyterClient.printed(messages, "stderr")).contains("not now");
        assertThat(listed(Map.of())).isEmpty();
    }

    @Test
    void aConversationThatNobodyTakesIsClosed() {
        using(
                all -> {
                    all.register("chat", (comm, _) -> comms.add(comm));
                    all.unregister("chat");
                });
        var open = Map.of("comm_id", "mine", "target_name", "chat", "data", Map.of());
        assertThat(JupyterClient.kinds(client.published(say("comm_open", open))))
                .containsExactly("busy", "comm_close", "idle");
    }

    @Test
    void aThreadThatOutlivedItsCellIsStillHeard() throws InterruptedException {
        opened();
        comms.element().send(Comm.Message.of(Map.of("late", 1)));
        var late = client.next(m -> m.type().equals("comm_msg"));
        assertThat(late.content().at("/data/late").asInt()).isEqualTo(1);
    }

    @Test
    void allAreClosedWhenTheKernelEnds() throws InterruptedException {
        var id = opened();
        client.send(Channel.CONTROL, "shutdown_request", Map.of("restart", false));
        assertThat(client.next(m -> m.type().equals("comm_close")).field("comm_id")).isEqualTo(id);
    }

    @Test
    void whatIsClosedSaysNothingMore() throws InterruptedException {
        opened();
        var comm = comms.remove();
        using(
                _ -> {
                    comm.close(Comm.Message.of(Map.of()));
                    comm.close(Comm.Message.of(Map.of()));
                    comm.send(Comm.Message.of(Map.of()));
                });
        client.reply(Channel.SHELL, say("comm_info_request", Map.of()));
        var id = client.execute("print after");
        client.published(id);
        assertThat(client.kept()).filteredOn(m -> m.type().equals("comm_msg")).isEmpty();
    }

    @Test
    void whatIsNoJsonIsRefusedWhereItIsSent() {
        var cyclic = new java.util.HashMap<String, Object>();
        cyclic.put("self", cyclic);
        served.engine.conversation =
                output -> output.comms().orElseThrow().open("chat", Comm.Message.of(cyclic));
        var reply = client.reply(Channel.SHELL, client.execute("use"));
        assertThat(reply.field("status")).isEqualTo("error");
        assertThat(listed(Map.of())).isEmpty();
    }

    @Test
    void aConversationOfASilentCellIsOpened() {
        served.engine.conversation =
                output -> output.comms().orElseThrow().open("chat", Comm.Message.of(Map.of()));
        var id = client.execute("use", Map.of("silent", true));
        assertThat(JupyterClient.kinds(client.published(id)))
                .containsExactly("busy", "comm_open", "idle");
    }
}
