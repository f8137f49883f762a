package org.meshbook.kernel.session;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.history.HistorySession;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.Envelope;

/// Answers what is asked on shell, at once, also while a cell runs: questions about code on one
/// thread, because they wait for the engine, all others on another, because they never do.
final class Answers {
    private final Common common;
    private final Dispatch dispatch;
    private final Commands commands;
    private final Departure departure;
    private final ExecutorService questions = thread("meshbook-questions");
    private final ExecutorService others = thread("meshbook-answers");

    Answers(Common common, Dispatch dispatch, Commands commands, Departure departure) {
        this.common = common;
        this.dispatch = dispatch;
        this.commands = commands;
        this.departure = departure;
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(name).factory());
    }

    /// @param lane whom it was asked
    void ask(Parent parent, Envelope envelope, Lane lane) {
        switch (parent.header().type()) {
            case "complete_request", "inspect_request", "is_complete_request" ->
                    questions.execute(
                            () -> dispatch.serve(Channel.SHELL, parent, envelope, this::answer));
            default ->
                    others.execute(
                            () -> {
                                dispatch.serve(
                                        Channel.SHELL,
                                        parent,
                                        envelope,
                                        (from, request) -> tell(from, request, lane));
                                departure.settled();
                            });
        }
    }

    /// Says that there is no such subshell, to a request that could be taken otherwise.
    void refuse(Parent parent, Envelope envelope) {
        var why = Commands.noSubshell(parent.header().subshell().orElse(""));
        others.execute(
                () -> {
                    if (dispatch.request(Channel.SHELL, parent, envelope) != null) {
                        dispatch.refuse(Channel.SHELL, parent, why);
                    }
                });
    }

    private void answer(Parent parent, Request request) throws InterruptedException {
        var engine = common.awaitEngine();
        var reply =
                switch (request) {
                    case Request.Complete(var code, var cursor) -> {
                        var found = engine.complete(code, cursor);
                        yield new Reply.Completed(code, typed(found), found.start(), found.end());
                    }
                    case Request.Inspect(var code, var cursor, var detail) ->
                            new Reply.Inspected(
                                    Optional.ofNullable(engine.inspect(code, cursor, detail))
                                            .map(Shown::bundle));
                    case Request.IsComplete(var code) -> {
                        var found = engine.completeness(code);
                        yield new Reply.IsComplete(found.status(), found.indent());
                    }
                    default -> throw new AssertionError(request); // routed by ask
                };
        common.outbox().reply(Channel.SHELL, parent, reply);
    }

    private void tell(Parent parent, Request request, Lane lane) {
        switch (request) {
            case Request.History(var query, var output) ->
                    common.outbox()
                            .reply(
                                    Channel.SHELL,
                                    parent,
                                    history(lane.execution().history(), query, output));
            case Request.CommInfo(var target) ->
                    common.outbox()
                            .reply(
                                    Channel.SHELL,
                                    parent,
                                    new Reply.CommInfo(common.conversations().targets(target)));
            default -> commands.take(Channel.SHELL, parent, request);
        }
    }

    private static Reply history(HistorySession history, Request.Query query, boolean output) {
        var found =
                switch (query) {
                    case Request.Query.Tail(var count) -> history.tail(count);
                    case Request.Query.Range(var session, var start, var stop) ->
                            history.range(session, start, stop);
                    case Request.Query.Search(var pattern, var count, var unique) ->
                            history.search(pattern, count, unique);
                };
        var lines =
                found.stream()
                        .map(e -> new Reply.Line(e.session(), e.line(), e.source(), e.output()))
                        .toList();
        return new Reply.History(lines, output);
    }

    private static List<Reply.Completed.Match> typed(CellEngine.Completion completion) {
        return completion.found().stream()
                .map(m -> new Reply.Completed.Match(m.text(), m.kind().word(), m.signature()))
                .toList();
    }
}
