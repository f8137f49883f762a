package org.meshbook.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.session.JupyterClient.Message;
import org.meshbook.kernel.widgets.WidgetsExtension;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.ConnectionFile;
import org.meshbook.kernel.wire.KernelSockets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Widgets of a real kernel, as a front end sees them: sockets, session, JShell and all.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WidgetsTest {
    private static final String KEY = "secret";
    private static final String VIEW = "application/vnd.jupyter.widget-view+json";

    private final KernelSockets sockets = KernelSockets.bind(anywhere());
    private final KernelSession session =
            new KernelSession(
                    sockets,
                    CompletableFuture.completedFuture(
                            CellEngines.open(List.of(new WidgetsExtension()))),
                    new KernelSession.About("1", "25", Map.of()));
    private final JupyterClient client = new JupyterClient(sockets, KEY);

    private static ConnectionFile anywhere() {
        var ports = new HashMap<Channel, Integer>();
        for (var channel : Channel.values()) {
            ports.put(channel, 0);
        }
        return new ConnectionFile("tcp", "127.0.0.1", ports, "hmac-sha256", KEY);
    }

    @BeforeAll
    void serve() {
        session.start();
        sockets.serve(session);
        client.published("", message -> message.type().equals("iopub_welcome"));
    }

    @AfterAll
    void end() throws InterruptedException {
        client.close();
        session.end();
        sockets.close();
    }

    /// A widget as the front end knows it after a cell.
    private record Seen(List<Message> messages, String id, JsonNode state) {}

    private List<Message> run(String code) {
        return client.published(client.execute(code));
    }

    private String result(String code) {
        return run(code).stream()
                .filter(m -> m.type().equals("execute_result") || m.type().equals("error"))
                .map(m -> m.content().at("/data/text~1plain").asString(m.field("evalue")))
                .findFirst()
                .orElse("");
    }

    private Seen show(String code) {
        var messages = run(code);
        var shown =
                messages.stream()
                        .map(m -> m.content().path("data").path(VIEW))
                        .filter(JsonNode::isObject)
                        .findFirst();
        assertThat(shown).as("a view after %s: %s", code, messages).isPresent();
        var id = shown.get().path("model_id").asString("");
        return new Seen(messages, id, opened(messages, id));
    }

    private static JsonNode opened(List<Message> messages, String id) {
        return messages.stream()
                .filter(m -> m.type().equals("comm_open") && m.field("comm_id").equals(id))
                .map(m -> m.content().at("/data/state"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("model " + id + " was not opened"));
    }

    private List<Message> say(String id, Object data) {
        var request = client.send(Channel.SHELL, "comm_msg", Map.of("comm_id", id, "data", data));
        return client.published(request);
    }

    private List<Message> update(String id, String key, String json) {
        var value = JsonMapper.shared().readValue(json, Object.class);
        return say(
                id,
                Map.of("method", "update", "state", Map.of(key, value), "buffer_paths", List.of()));
    }

    /// What was printed below a cell after its end.
    private String late(Seen seen, String stream) {
        var cell = seen.messages().getFirst().parent().path("msg_id").asString("");
        return JupyterClient.printed(
                client.published(cell, m -> m.field("name").equals(stream)), stream);
    }

    private static List<String> methods(List<Message> messages, String id) {
        return messages.stream()
                .filter(m -> m.type().equals("comm_msg") && m.field("comm_id").equals(id))
                .map(m -> m.content().at("/data/method").asString(""))
                .toList();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "slider(1, 10)           | IntSlider        | value | 1         | 7      | 7",
                "slider(1, 10, 4)        | IntSlider        | value | 4         | 5.0    | 5",
                "slider(0.0, 1.0)        | FloatSlider      | value | 0.0       | 1      | 1.0",
                "range(0, 9)             | IntRangeSlider   | value | [0,9]     | [2, 3] | 2 to 3",
                "range(0.5, 1)           | FloatRangeSlider | value | [0.5,1.0] | [0.6, 0.7] | 0.6"
                        + " to 0.7",
                "checkbox(\"on\")        | Checkbox         | value | false     | true   | true",
                "toggle(\"on\")          | ToggleButton     | value | false     | true   | true",
                "dropdown(\"a\", \"b\")  | Dropdown         | index | 0         | 1      | b",
                "select(3, 4)            | Select           | index | 0         | 1      | 4",
                "radio(3, 4)             | RadioButtons     | index | 0         | 1      | 4",
                "toggles(3, 4)           | ToggleButtons    | index | 0         | 1      | 4",
                "text(\"x\")             | Text             | value | x         | \"y\"  | y",
                "textarea(\"x\")         | Textarea         | value | x         | \"y\"  | y",
                "password()              | Password         | value | ``        | \"y\"  | y",
                "number(3)               | IntText          | value | 3         | 4      | 4",
                "number(0.5)             | FloatText        | value | 0.5       | 4      | 4.0",
                "meter(0, 4).at(3)       | IntProgress      | value | 3         | 4      | 4",
                "meter(0.0, 1.0)         | FloatProgress    | value | 0.0       | 1      | 1.0",
                "label(\"x\")            | Label            | value | x         | \"y\"  | y",
                "html(\"x\")             | HTML             | value | x         | \"y\"  | y",
            })
    void valueGoesBothWays(
            String code, String name, String key, String start, String sent, String value) {
        var seen = show("var w = Widgets." + code + ";\nw");

        assertThat(seen.state().path("_model_name").asString("")).isEqualTo(name + "Model");
        assertThat(seen.state().path("_view_name").asString(""))
                .isEqualTo((name.endsWith("Progress") ? "Progress" : name) + "View");
        assertThat(seen.state().path("_model_module").asString(""))
                .isEqualTo("@jupyter-widgets/controls");
        assertThat(seen.state().path("_model_module_version").asString("")).isEqualTo("2.0.0");
        assertThat(seen.state().path(key).asString(seen.state().path(key).toString()))
                .isEqualTo(start);
        var answer = update(seen.id(), key, sent);
        assertThat(methods(answer, seen.id())).containsExactly("echo_update");
        assertThat(result("w.value()")).isEqualTo(value);
    }

    @Test
    void opensWhatItRefersToFirst() {
        var seen = show("Widgets.hbox(Widgets.slider(1, 2), Widgets.label(\"x\"))");

        var opened =
                seen.messages().stream()
                        .filter(m -> m.type().equals("comm_open"))
                        .map(m -> m.field("comm_id"))
                        .toList();
        assertThat(seen.state().path("children")).hasSize(2);
        seen.state()
                .path("children")
                .forEach(
                        child ->
                                assertThat(opened.indexOf(child.asString("").substring(10)))
                                        .isBetween(0, opened.indexOf(seen.id()) - 1));
        assertThat(opened).last().isEqualTo(seen.id());
        assertThat(seen.messages().stream().filter(m -> m.type().equals("comm_open")))
                .allMatch(m -> m.field("target_name").equals("jupyter.widget"));
    }

    @Test
    void valueSetInJavaIsTold() {
        var seen = show("var w = Widgets.slider(0, 9);\nw");

        var messages = run("w.value(4);");

        var told =
                messages.stream()
                        .filter(m -> m.type().equals("comm_msg"))
                        .findFirst()
                        .orElseThrow();
        assertThat(told.field("comm_id")).isEqualTo(seen.id());
        assertThat(told.content().path("data").toString())
                .isEqualTo("{\"method\":\"update\",\"state\":{\"value\":4},\"buffer_paths\":[]}");
        assertThat(messages).noneMatch(m -> m.type().equals("execute_result"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"70", "-1", "\"x\"", "2.5", "null", "[1]", "1e99"})
    void valueThatCannotBeHadIsTakenBack(String json) {
        var seen = show("var w = Widgets.slider(0, 9).at(3);\nw");

        var state = new HashMap<String, Object>();
        state.put("value", JsonMapper.shared().readValue(json, Object.class));
        var answer = say(seen.id(), Map.of("method", "update", "state", state));

        assertThat(methods(answer, seen.id())).containsExactly("echo_update", "update");
        assertThat(result("w.value()")).isEqualTo("3");
    }

    @Test
    void listenerPrintsBelowTheCellThatShowedTheWidget() {
        var seen =
                show(
                        "var w = Widgets.slider(0, 9).onChange(v -> System.out.println(\"v=\" +"
                                + " v));\n"
                                + "w");

        update(seen.id(), "value", "5");

        assertThat(late(seen, "stdout")).isEqualTo("v=5\n");
    }

    @Test
    void clickThatFailsSaysWhereAndTheNextOneWorks() {
        var seen =
                show(
                        """
                        int clicks = 0;
                        var b = Widgets.button("Go").onClick(() -> { clicks++; if (clicks == 1) throw new IOException("gone"); });
                        b\
                        """);

        say(seen.id(), Map.of("method", "custom", "content", Map.of("event", "click")));
        var said = late(seen, "stderr");
        say(seen.id(), Map.of("method", "custom", "content", Map.of("event", "click")));

        assertThat(said).contains("IOException", "gone", "cell ").doesNotContain("CallbackFailed");
        assertThat(result("clicks")).isEqualTo("2");
    }

    @Test
    void listenerThatSpinsCanBeInterrupted() {
        var seen =
                show("var w = Widgets.checkbox(\"spin\").onChange(_ -> { while (true) { } });\nw");

        var request =
                client.send(
                        Channel.SHELL,
                        "comm_msg",
                        Map.of(
                                "comm_id",
                                seen.id(),
                                "data",
                                Map.of("method", "update", "state", Map.of("value", true))));
        client.published(request, m -> m.type().equals("comm_msg"));
        client.reply(Channel.CONTROL, client.send(Channel.CONTROL, "interrupt_request", Map.of()));
        client.published(request);

        assertThat(result("1 + 1")).isEqualTo("2");
        client.kept().clear();
    }

    @Test
    void linkedControlsFollowEachOther() {
        var seen =
                show(
                        """
                        var one = Widgets.slider(0, 9).at(2);
                        var two = Widgets.number(7);
                        var tie = Widgets.link(one, two);
                        Widgets.hbox(one, two)\
                        """);
        var first = seen.state().path("children").get(0).asString("").substring(10);
        var second = seen.state().path("children").get(1).asString("").substring(10);

        assertThat(result("two.value()")).isEqualTo("2");
        assertThat(methods(update(first, "value", "5"), second)).containsExactly("update");
        assertThat(methods(update(second, "value", "6"), first)).containsExactly("update");
        assertThat(result("one.value() + \" \" + two.value()")).isEqualTo("6 6");
        run("tie.close();");
        assertThat(methods(update(first, "value", "1"), second)).isEmpty();
    }

    @Test
    void linkInTheFrontEndNamesBothEnds() {
        var messages =
                run(
                        """
                        var one = Widgets.slider(0, 9);
                        var two = Widgets.dropdown("a", "b");
                        var three = Widgets.jslink(one, Widgets.number(1));
                        """);

        var link =
                messages.stream()
                        .filter(m -> m.type().equals("comm_open"))
                        .map(m -> m.content().at("/data/state"))
                        .filter(s -> s.path("_model_name").asString("").equals("LinkModel"))
                        .findFirst()
                        .orElseThrow();
        assertThat(link.path("source").get(0).asString("")).startsWith("IPY_MODEL_");
        assertThat(link.path("source").get(1).asString("")).isEqualTo("value");
        assertThat(link.path("target")).hasSize(2);
    }

    @Test
    void outputHoldsWhatWasPrintedAndShown() {
        var seen =
                show(
                        """
                        var out = Widgets.output();
                        out.capture(() -> { System.out.print("h\\u00e9"); System.out.println("!"); display(List.of(1, 2)); });
                        out\
                        """);

        assertThat(JupyterClient.printed(seen.messages(), "stdout")).isEmpty();
        var outputs = seen.state().path("outputs");
        assertThat(outputs.get(0).path("output_type").asString("")).isEqualTo("stream");
        assertThat(outputs.get(0).path("text").asString("")).isEqualTo("h\u00e9!\n");
        assertThat(outputs.get(1).at("/data/text~1plain").asString("")).isEqualTo("[1, 2]");
        assertThat(JupyterClient.printed(run("System.out.println(\"out\");"), "stdout"))
                .isEqualTo("out\n");
    }

    @Test
    void captureCanBeInterrupted() {
        run("var out = Widgets.output();");
        var request =
                client.execute("out.capture(() -> { System.out.println(1); while (true) { } });");
        client.published(request, m -> m.kind().equals("execute_input"));
        client.reply(Channel.CONTROL, client.send(Channel.CONTROL, "interrupt_request", Map.of()));

        assertThat(client.published(request))
                .anyMatch(m -> m.field("ename").equals("KeyboardInterrupt"));
    }

    @Test
    void interactRunsNowAndAtEachChange() {
        var seen =
                show(
                        """
                        var n = Widgets.slider(1, 5);
                        Widgets.interact((k, word) -> word.repeat(k), n, Widgets.dropdown("ab", "c"));\
                        """);
        var children = seen.state().path("children");
        var slider = children.get(0).asString("").substring(10);
        var output = children.get(2).asString("").substring(10);

        var told = update(slider, "value", "3");

        assertThat(opened(seen.messages(), output).toString()).contains("\"ab\"");
        assertThat(told.stream().filter(m -> m.field("comm_id").equals(output)).toList())
                .last()
                .extracting(
                        m -> m.content().at("/data/state/outputs/0/data/text~1plain").asString(""))
                .isEqualTo("ababab");
    }

    @Test
    void interactShowsAFailureWhereItsOutputWouldBe() {
        var seen = show("Widgets.interact(k -> 10 / k, Widgets.slider(0, 5));");
        var output = seen.state().path("children").get(1).asString("").substring(10);

        assertThat(opened(seen.messages(), output).at("/outputs/0/ename").asString(""))
                .isEqualTo("ArithmeticException");
    }

    @Test
    void frontEndThatWasLoadedAnewLearnsAllModels() {
        var seen = show("var w = Widgets.slider(0, 9).at(8);\nw");
        var closed = show("var gone = Widgets.label(\"gone\");\ngone");
        run("gone.close();");

        client.published(
                client.send(
                        Channel.SHELL,
                        "comm_open",
                        Map.of(
                                "comm_id", "control",
                                "target_name", "jupyter.widget.control",
                                "data", Map.of())));
        var answer = say("control", Map.of("method", "request_states"));

        var states =
                answer.stream()
                        .filter(m -> m.type().equals("comm_msg"))
                        .map(m -> m.content().at("/data/states"))
                        .findFirst()
                        .orElseThrow();
        assertThat(states.path(seen.id()).path("model_name").asString(""))
                .isEqualTo("IntSliderModel");
        assertThat(states.path(seen.id()).at("/state/value").asInt(0)).isEqualTo(8);
        assertThat(states.has(closed.id())).isFalse();
    }

    @Test
    void lastOfManyThreadsValuesIsTheLastOneTold() {
        show("var w = Widgets.slider(0, 100_000);\nw");

        var messages =
                run(
                        """
                        var all = IntStream.range(0, 4).mapToObj(t -> Thread.ofPlatform().start(() -> {
                            for (var i = 0; i < 200; i++) w.value(t * 1000 + i);
                        })).toList();
                        for (var t : all) t.join();
                        System.out.println(w.value());\
                        """);

        var last =
                messages.stream()
                        .filter(m -> m.type().equals("comm_msg"))
                        .map(m -> m.content().at("/data/state/value").asInt(-1))
                        .reduce(-1, (_, next) -> next);
        assertThat(JupyterClient.printed(messages, "stdout")).isEqualTo(last + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Widgets.slider(5, 1)                   | 5 to 1",
                "Widgets.slider(0, 1).at(2)             | 2 lies outside 0 to 1",
                "Widgets.slider(0.0, Double.NaN)        | NaN",
                "Widgets.slider(0, 9).step(0)           | step of 0",
                "Widgets.dropdown(List.of())            | at least one option",
                "Widgets.dropdown(\"a\").at(\"b\")      | \"b\" is no option; there are [a]",
                "Widgets.button(\"x\").look(\"red\")    | no look 'red'; there are primary",
                "Widgets.label(\"x\").layout(\"colour\", \"red\") | no 'colour'",
            })
    void whatAWidgetCannotHaveIsOneLine(String code, String words) {
        assertThat(result(code)).contains(words).doesNotContain("\n");
    }

    @Test
    void boxCannotHoldItself() {
        assertThat(result("var box = Widgets.vbox(); box.children(List.of(box))"))
                .isEqualTo("a box cannot hold itself; make another one");
    }
}
