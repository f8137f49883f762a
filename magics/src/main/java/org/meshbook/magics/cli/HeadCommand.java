package org.meshbook.magics.cli;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.link.StatusReport;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.render.Table;

/// Starts, shows and ends the local head.
public final class HeadCommand implements Command {
    private static final Duration IDLE = Duration.ofHours(8);
    private static final int PORTS = 65_535;
    private static final Set<String> VERBS = Set.of("start", "status", "stop");

    private static final Grammar START =
            new Grammar(
                    "head start",
                    List.of(),
                    List.of(
                            new Flag("--idle", "TIME", "ends after so long without a session (8h)"),
                            new Flag("--port", "P", "listens there (any free port)")));
    private static final Grammar STATUS =
            new Grammar(
                    "head status",
                    List.of(),
                    List.of(Flag.plain("--json", "one line of JSON instead of tables")));
    private static final Grammar STOP = new Grammar("head stop", List.of(), List.of());

    @Override
    public String name() {
        return "head";
    }

    @Override
    public String summary() {
        return "start, status [--json], stop: the process that keeps the slices";
    }

    @Override
    public int run(List<String> arguments) {
        try {
            var verb = arguments.isEmpty() ? "" : arguments.getFirst();
            var rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
            return switch (verb) {
                case "start" -> start(START.parse(rest));
                case "status" -> status(STATUS.parse(rest));
                case "stop" -> stop(STOP.parse(rest));
                default ->
                        throw new MagicException(
                                "head %s: not known; there are start, status and stop%s"
                                        .formatted(verb, Nearest.hint(verb, VERBS)));
            };
        } catch (MagicException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 2;
        } catch (ElasticException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 1;
        }
    }

    private static int start(Given given) {
        var head =
                LocalHead.ofEnvironment()
                        .start(
                                given.time("--idle").orElse(IDLE),
                                given.count("--port", 1, PORTS).orElse(0));
        System.out.println(
                "head runs: pid %d, port %d on the loopback interface"
                        .formatted(head.pid(), head.port()));
        return 0;
    }

    private static int status(Given given) {
        var report = LocalHead.ofEnvironment().status();
        if (given.has("--json")) {
            System.out.println(
                    report.map(StatusReport::json)
                            .orElse("{\"head\":null,\"slices\":[],\"sessions\":[]}"));
            return 0;
        }
        if (report.isEmpty()) {
            System.out.println("no head runs; one starts with the first slices");
            return 0;
        }
        show(report.get());
        return 0;
    }

    private static int stop(Given given) {
        assert given.words().isEmpty();
        System.out.println(
                LocalHead.ofEnvironment()
                        .stop()
                        .map(pid -> "ended the head (pid %d) and its slices".formatted(pid))
                        .orElse("no head runs"));
        return 0;
    }

    private static void show(StatusReport report) {
        System.out.println(
                "head: pid %d, port %d".formatted(report.head().pid(), report.head().port()));
        var sessions = Table.of("session", "name", "pid", "state", "slices", "since");
        for (var client : report.sessions()) {
            sessions =
                    sessions.row(
                            client.id(),
                            client.name(),
                            client.pid(),
                            client.state(),
                            client.slices(),
                            client.since());
        }
        System.out.println();
        System.out.println(report.sessions().isEmpty() ? "no sessions" : sessions.text());
        var slices = Table.of("session", "slice", "state", "generation", "pid", "devices", "since");
        for (var slice : report.slices()) {
            slices =
                    slices.row(
                            slice.session(),
                            slice.id(),
                            slice.state(),
                            slice.generation(),
                            slice.hosts().stream()
                                    .map(host -> String.valueOf(host.pid()))
                                    .collect(Collectors.joining(", ")),
                            slice.devices(),
                            slice.since());
        }
        if (!report.slices().isEmpty()) {
            System.out.println();
            System.out.println(slices.text());
        }
    }
}
