package org.meshbook.kernel.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellTask;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;

/// Running cells, and what was run. All but [#interrupt] on the shell's thread.
final class Execution {
    private final Outbox outbox;
    private final Future<CellEngine> engine;
    private final InputDesk input;
    private final ScheduledExecutorService timer;
    private final Aborts aborts;
    private final History history = new History();
    private volatile boolean running;
    private volatile @Nullable CellTask task;
    private int count;

    Execution(
            Outbox outbox,
            Future<CellEngine> engine,
            InputDesk input,
            ScheduledExecutorService timer,
            Aborts aborts) {
        this.outbox = outbox;
        this.engine = engine;
        this.input = input;
        this.timer = timer;
        this.aborts = aborts;
    }

    History history() {
        return history;
    }

    /// Runs a cell and answers.
    ///
    /// @return whether the kernel was asked to leave
    boolean execute(Parent parent, Request.Execute request) {
        if (aborts.pending()) {
            outbox.reply(Channel.SHELL, parent, new Reply.ExecutionAborted());
            return false;
        }
        // 1. count it, remember it, say that it starts
        var number = count + 1;
        if (request.storeHistory()) {
            count = number;
            history.add(number, request.code());
        }
        var output =
                new LiveOutput(
                        outbox, parent, input, timer, request.silent(), request.allowStdin());
        output.publish(new Publication.ExecuteInput(request.code(), number));
        // 2. run it  3. show what came out, after what it printed  4. evaluate what was asked for
        var outcome = run(request, number, output);
        var reply = conclude(request, number, output, outcome);
        task = null;
        // 5. a failure aborts what has arrived by now; what follows on the answer has not
        if (outcome instanceof CellOutcome.Failed && request.stopOnError()) {
            aborts.begin();
        }
        // 6. answer
        output.flush();
        outbox.reply(Channel.SHELL, parent, reply);
        return outcome instanceof CellOutcome.Exit;
    }

    /// Stops the running cell and aborts what is queued behind it; no-op when idle. Any thread.
    void interrupt() {
        if (running) {
            aborts.begin();
            var cell = task;
            if (cell != null) {
                cell.interrupt();
            }
        }
    }

    /// @return the engine, if it is there by now
    java.util.Optional<CellEngine> ready() {
        return engine.state() == Future.State.SUCCESS
                ? java.util.Optional.of(engine.resultNow())
                : java.util.Optional.empty();
    }

    /// @return the engine, waited for
    /// @throws IllegalStateException if it could not be started
    CellEngine engine() throws InterruptedException {
        try {
            return engine.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Java could not be started: " + e.getCause(), e);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever the engine throws belongs to the cell
    private CellOutcome run(Request.Execute request, int number, LiveOutput output) {
        running = true;
        try {
            var cell = engine().cell(request.code(), number, output);
            task = cell;
            return cell.run();
        } catch (InterruptedException e) {
            return failed("KeyboardInterrupt", "interrupted");
        } catch (Throwable t) {
            var failure = Shown.failure(t);
            return failed(failure.name(), failure.message());
        } finally {
            running = false;
            // An interrupt that came too late for this cell must not hit the next one.
            Thread.interrupted();
        }
    }

    private Reply conclude(
            Request.Execute request, int number, LiveOutput output, CellOutcome outcome) {
        return switch (outcome) {
            case CellOutcome.Done(var result) -> {
                result.ifPresent(
                        data -> {
                            output.publish(
                                    new Publication.ExecuteResult(
                                            number, Shown.bundle(data), data.id()));
                            if (request.storeHistory()
                                    && data.bundle().get("text/plain") instanceof String text) {
                                history.result(text);
                            }
                        });
                yield new Reply.Executed(count, expressions(request), false);
            }
            case CellOutcome.Failed failed -> {
                var failure = Shown.failure(failed);
                output.publish(new Publication.Error(failure));
                yield new Reply.ExecutionFailed(count, failure);
            }
            case CellOutcome.Exit _ -> new Reply.Executed(count, Map.of(), true);
        };
    }

    private Map<String, Reply.Expression> expressions(Request.Execute request) {
        var asked = request.userExpressions();
        var cell = task;
        if (asked.isEmpty() || cell == null) {
            return Map.of();
        }
        var values = new LinkedHashMap<String, Reply.Expression>();
        cell.evaluate(asked).forEach((name, outcome) -> values.put(name, expression(outcome)));
        return values;
    }

    private static Reply.Expression expression(CellOutcome outcome) {
        return switch (outcome) {
            case CellOutcome.Done(var result) ->
                    new Reply.Expression.Value(
                            result.map(Shown::bundle)
                                    .orElse(org.meshbook.kernel.protocol.Bundle.EMPTY));
            case CellOutcome.Failed failed -> new Reply.Expression.Broken(Shown.failure(failed));
            case CellOutcome.Exit _ ->
                    new Reply.Expression.Value(org.meshbook.kernel.protocol.Bundle.EMPTY);
        };
    }

    private static CellOutcome failed(String name, String message) {
        return new CellOutcome.Failed(name, message, List.of(name + ": " + message));
    }
}
