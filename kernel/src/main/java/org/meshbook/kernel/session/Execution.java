package org.meshbook.kernel.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.cell.CellTask;
import org.meshbook.kernel.history.HistorySession;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.wire.Channel;

/// Running the cells and callbacks of one shell, and what was run there. All but [#arrives],
/// [#interrupt], [#interruptCallback], [#close] and [#history] on the shell's thread.
final class Execution {
    private final Common common;
    private final Outbox outbox;
    private final Aborts aborts;
    private final HistorySession history;
    private final AtomicInteger unsettled = new AtomicInteger();
    private volatile @Nullable Turn running;
    private volatile boolean closed;
    private int count;
    private boolean inHand;

    Execution(Common common, Aborts aborts) {
        this.common = common;
        this.outbox = common.outbox();
        this.aborts = aborts;
        this.history = common.history().begin();
    }

    HistorySession history() {
        return history;
    }

    /// A cell is queued: an interrupt meets it from now on, until [#settle].
    void arrives() {
        unsettled.incrementAndGet();
    }

    /// A cell is taken off the queue.
    void take() {
        inHand = true;
    }

    /// A cell that was taken is answered, or will never be.
    void settle() {
        if (inHand) {
            inHand = false;
            unsettled.decrementAndGet();
        }
    }

    /// Runs a cell and answers.
    ///
    /// @return whether the kernel was asked to leave
    boolean execute(Parent parent, Request.Execute request) {
        var turn = new Turn(true);
        running = turn;
        if (closed || aborts.pending()) {
            ended();
            outbox.reply(Channel.SHELL, parent, new Reply.ExecutionAborted());
            return false;
        }
        // 1. count it, remember it, say that it starts
        var number = count + 1;
        if (request.storeHistory()) {
            count = number;
            history.add(number, request.code());
        }
        var output = output(parent, request.silent(), request.allowStdin());
        output.publish(new Publication.ExecuteInput(request.code(), number));
        // 2. run it  3. show what came out, after what it printed  4. evaluate what was asked for
        var ran = run(turn, engine -> engine.cell(request.code(), number, output));
        var reply = conclude(request, number, output, ran);
        ended();
        // 5. a failure aborts what has arrived by now; what follows on the answer has not
        if (ran.outcome() instanceof CellOutcome.Failed && request.stopOnError()) {
            aborts.begin();
        }
        // 6. answer
        output.flush();
        outbox.reply(Channel.SHELL, parent, reply);
        return ran.outcome() instanceof CellOutcome.Exit;
    }

    /// Lets the front end's part of a conversation take effect; code of the user's that it calls is
    /// run as a cell is.
    ///
    /// @return whether the kernel was asked to leave
    boolean converse(Parent parent, Request.OnComm request) {
        if (closed) {
            return false;
        }
        var turn = new Turn(false);
        running = turn;
        // The front end answers questions only to a cell.
        var output = output(parent, false, false);
        var work = common.conversations().heard(request, output::publish);
        if (work.isEmpty()) {
            ended();
            return false;
        }
        var outcome = run(turn, engine -> engine.work(work.get(), count, output)).outcome();
        ended();
        if (outcome instanceof CellOutcome.Failed failed) {
            output.write(CellOutput.Stream.STDERR, String.join("\n", failed.trace()) + "\n");
        }
        output.flush();
        return outcome instanceof CellOutcome.Exit;
    }

    private void ended() {
        running = null;
        settle();
        // An interrupt that came too late for this must not hit what is next.
        var unused = Thread.interrupted();
    }

    private LiveOutput output(Parent parent, boolean silent, boolean mayAsk) {
        return new LiveOutput(
                outbox,
                parent,
                common.input(),
                common.conversations(),
                common.timer(),
                silent,
                mayAsk);
    }

    /// Stops what is running and aborts the cells that are queued behind it; no-op when idle. Any
    /// thread.
    void interrupt() {
        // In this order: a cell that is taken up meanwhile sees the one or is met by the other.
        if (unsettled.get() > 0) {
            aborts.begin();
        }
        var turn = running;
        if (turn != null) {
            turn.stop();
        }
    }

    /// Stops what is running if it is no cell. Any thread.
    void interruptCallback() {
        var turn = running;
        if (turn != null && !turn.isCell()) {
            turn.stop();
        }
    }

    /// Stops what is running and aborts everything that follows. Any thread.
    void close() {
        closed = true;
        interrupt();
    }

    /// What was run, and how it ended.
    private record Ran(CellOutcome outcome, @Nullable CellTask task) {}

    @SuppressWarnings("CatchingUnchecked") // whatever the engine throws belongs to the cell
    private Ran run(Turn turn, Function<CellEngine, CellTask> prepare) {
        CellTask task = null;
        try {
            task = turn.with(prepare.apply(turn.await(common.engine())));
            return new Ran(task.run(), task);
        } catch (InterruptedException e) {
            return new Ran(failed("KeyboardInterrupt", "interrupted"), task);
        } catch (ExecutionException e) {
            var why = "Java could not be started: " + e.getCause();
            return new Ran(failed("IllegalStateException", why), task);
        } catch (Throwable t) {
            var failure = Shown.failure(t);
            return new Ran(failed(failure.name(), failure.message()), task);
        }
    }

    private Reply conclude(Request.Execute request, int number, LiveOutput output, Ran ran) {
        return switch (ran.outcome()) {
            case CellOutcome.Done(var result) -> {
                result.ifPresent(
                        data -> {
                            output.publish(
                                    new Publication.ExecuteResult(
                                            number, Shown.bundle(data), data.id()));
                            if (request.storeHistory()
                                    && data.bundle().get("text/plain") instanceof String text) {
                                history.output(number, text);
                            }
                        });
                yield new Reply.Executed(count, expressions(request, ran.task()), false);
            }
            case CellOutcome.Failed failed -> {
                var failure = Shown.failure(failed);
                output.publish(new Publication.Error(failure));
                yield new Reply.ExecutionFailed(count, failure);
            }
            case CellOutcome.Exit _ -> new Reply.Executed(count, Map.of(), true);
        };
    }

    private Map<String, Reply.Expression> expressions(
            Request.Execute request, @Nullable CellTask cell) {
        var asked = request.userExpressions();
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
