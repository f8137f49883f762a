package org.meshbook.kernel.cell;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.jshell.Match;
import org.meshbook.kernel.spi.DisplayData;

/// An engine whose cells are scripts: one word and its argument a line.
public final class ScriptedEngine implements CellEngine {
    /// Counted down when a cell comes to `hold`; it goes on after [#release] or an interrupt.
    public final CountDownLatch held = new CountDownLatch(1);

    /// What a cell does at `use`.
    public volatile Consumer<CellOutput> conversation = _ -> {};

    /// One permit for each cell that came to `wait`; it goes on only by an interrupt.
    public final Semaphore waiting = new Semaphore(0);

    /// Counted down when the engine is closed.
    public final CountDownLatch closed = new CountDownLatch(1);

    /// Whether a new kernel was said to follow.
    public volatile boolean restart;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Set<CellTask> running = ConcurrentHashMap.newKeySet();

    /// Lets a held cell go on.
    public void release() {
        gate.countDown();
    }

    @Override
    public CellTask cell(String code, int number, CellOutput output) {
        return new Script(() -> script(code, output));
    }

    @Override
    public CellTask work(Callable<?> work, int number, CellOutput output) {
        return new Script(
                () -> {
                    work.call();
                    return new CellOutcome.Done(Optional.empty());
                });
    }

    private @Nullable CellOutcome script(String code, CellOutput output) throws Exception {
        for (var line : code.split("\n", -1)) {
            var space = line.indexOf(' ');
            var word = space < 0 ? line : line.substring(0, space);
            var ended = step(word, space < 0 ? "" : line.substring(space + 1), output);
            if (ended != null) {
                return ended;
            }
        }
        return null;
    }

    /// One script, on the thread that runs it.
    private final class Script implements CellTask {
        private final Callable<@Nullable CellOutcome> script;
        private @Nullable Thread runner;
        private boolean stopped;

        Script(Callable<@Nullable CellOutcome> script) {
            this.script = script;
        }

        @Override
        public CellOutcome run() {
            running.add(this);
            try {
                begin(Thread.currentThread());
                var ended = script.call();
                return ended != null ? ended : new CellOutcome.Done(Optional.empty());
            } catch (InterruptedException e) {
                return failed("KeyboardInterrupt");
            } catch (Exception e) {
                return failed(String.valueOf(e.getMessage()));
            } finally {
                running.remove(this);
                end();
            }
        }

        private synchronized void begin(Thread thread) throws InterruptedException {
            if (stopped) {
                throw new InterruptedException("stopped before it began");
            }
            runner = thread;
        }

        private synchronized void end() {
            runner = null;
            var unused = Thread.interrupted();
        }

        @Override
        public Map<String, CellOutcome> evaluate(Map<String, String> expressions) {
            var values = new LinkedHashMap<String, CellOutcome>();
            expressions.forEach(
                    (name, text) ->
                            values.put(
                                    name,
                                    text.startsWith("fail")
                                            ? failed("Broken")
                                            : new CellOutcome.Done(
                                                    Optional.of(DisplayData.text(text)))));
            return values;
        }

        @Override
        public synchronized void interrupt() {
            stopped = true;
            if (runner != null) {
                runner.interrupt();
            }
        }
    }

    private @Nullable CellOutcome step(String word, String rest, CellOutput output)
            throws IOException, InterruptedException {
        switch (word) {
            case "print" -> output.write(CellOutput.Stream.STDOUT, rest + "\n");
            case "put" -> output.write(CellOutput.Stream.STDOUT, rest);
            case "err" -> output.write(CellOutput.Stream.STDERR, rest + "\n");
            case "lines" -> {
                for (var at = 0; at < Integer.parseInt(rest); at++) {
                    output.write(CellOutput.Stream.STDOUT, "line " + at + "\n");
                }
            }
            case "show" -> output.display(data(rest));
            case "picture" -> output.display(DisplayData.text("<plot>").and("image/png", PIXEL));
            case "update" -> output.update(data(rest));
            case "clear" -> output.clear(rest.equals("wait"));
            case "ask" -> output.write(CellOutput.Stream.STDOUT, output.ask(rest, false) + "\n");
            case "hold" -> {
                held.countDown();
                if (!gate.await(20, TimeUnit.SECONDS)) {
                    throw new IOException("never released");
                }
            }
            case "wait" -> {
                waiting.release();
                new CountDownLatch(1).await();
            }
            case "secret" -> output.write(CellOutput.Stream.STDOUT, output.ask(rest, true));
            case "late" -> {
                var unused = Thread.ofPlatform().daemon().start(() -> late(rest, output));
            }
            case "use" -> conversation.accept(output);
            case "rude" -> throw new StackOverflowError("as asked");
            case "result" -> {
                return new CellOutcome.Done(Optional.of(DisplayData.text(rest)));
            }
            case "fail" -> {
                return failed(rest);
            }
            case "exit" -> {
                return new CellOutcome.Exit();
            }
            default -> {}
        }
        return null;
    }

    private void late(String text, CellOutput output) {
        try {
            if (gate.await(20, TimeUnit.SECONDS)) {
                output.write(CellOutput.Stream.STDOUT, text);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// `ID TEXT`
    private static DisplayData data(String rest) {
        var space = rest.indexOf(' ');
        return DisplayData.text(rest.substring(space + 1)).withId(rest.substring(0, space));
    }

    private static CellOutcome failed(String name) {
        return new CellOutcome.Failed(name, "as asked", List.of(name + ": as asked"));
    }

    @Override
    public void interrupt() {
        running.forEach(CellTask::interrupt);
    }

    @Override
    public Completion complete(String code, int cursor) {
        if (code.startsWith("rude")) {
            throw new StackOverflowError("as asked");
        }
        return Completion.of(
                List.of(code.substring(0, cursor) + "!"), Match.Kind.OTHER, cursor - 1, cursor);
    }

    @Override
    public @Nullable DisplayData inspect(String code, int cursor, int detail) {
        return code.isEmpty() ? null : DisplayData.text(code + "@" + cursor);
    }

    @Override
    public Completeness completeness(String code) {
        return code.endsWith("{")
                ? new Completeness("incomplete", "    ")
                : new Completeness(code.isEmpty() ? "unknown" : "complete", "");
    }

    @Override
    public void close(boolean restart) {
        this.restart = restart;
        closed.countDown();
    }

    /// A PNG of one pixel.
    public static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
}
