package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellOutcome.Done;
import org.meshbook.kernel.cell.CellOutcome.Exit;
import org.meshbook.kernel.cell.CellOutcome.Failed;
import org.meshbook.kernel.config.ConfigMagic;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Renderings;
import org.meshbook.kernel.jshell.CellStopped;
import org.meshbook.kernel.jshell.Guard;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.jshell.UserThread;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.kernel.threads.ThreadsMagic;

/// Runs cells: splits them into Java and magics, runs each part in order on the cell's thread, and
/// renders the value of the last one.
final class JavaCellEngine implements CellEngine, CellHost {
    private final List<Extension> extensions;
    private final Magics magics;
    private final Renderings renderings;
    private final Startup startup;
    private final Questions questions;
    private final LivingCells cells = new LivingCells();
    private final KeptResults results = new KeptResults();
    private final PastCells past = new PastCells();
    private final Workspace workspace;
    private final Settings settings = new Settings();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Wording wording = new Wording(settings);
    private final List<String> refusedSettings = settings.take(System.getenv());
    private final Set<Task> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable RunningCell last;

    JavaCellEngine(List<Extension> extensions, Startup startup) {
        this.extensions = new CopyOnWriteArrayList<>(extensions);
        magics = new Magics(allMagics(this.extensions));
        renderings =
                new Renderings(
                        this.extensions.stream().flatMap(e -> e.renderers().stream()).toList(),
                        settings);
        this.startup = startup;
        workspace = new CellWorkspace(startup, past, results, new Grown());
        questions = new Questions(startup, magics, workspace);
        if (Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(JavaCellEngine::uncaught);
        }
        startup.complete(
                this.extensions.stream().flatMap(e -> e.startup().stream()).toList(),
                () -> !running.isEmpty());
    }

    /// A thread died: its cell says so, as it would say for itself.
    private static void uncaught(Thread thread, Throwable thrown) {
        if (thrown instanceof CellStopped) {
            return;
        }
        if (CurrentScope.find() instanceof RunningCell cell) {
            cell.notice("Exception in thread \"%s\"".formatted(thread.getName()));
            cell.failure(thrown).trace().forEach(cell::notice);
        } else {
            System.err.println("Exception in thread \"%s\" %s".formatted(thread.getName(), thrown));
        }
    }

    @Override
    public Wording wording() {
        return wording;
    }

    @Override
    public Optional<String> frame(String printed) {
        return wording.frame(startup.shell(), printed);
    }

    @Override
    public Failed failure(Throwable thrown) {
        return wording.thrown(startup.shell(), thrown);
    }

    private List<Magic> allMagics(List<Extension> extensions) {
        var all = new ArrayList<Magic>();
        all.add(new ExitMagic());
        all.add(new ConfigMagic(settings));
        all.add(new ThreadsMagic(() -> startup.shell(), this::isRunning, this::stop));
        all.add(new HelpMagic("help", () -> magics));
        all.add(new HelpMagic("magics", () -> magics));
        all.add(new HelpMagic("lsmagic", () -> magics));
        extensions.forEach(extension -> all.addAll(extension.magics()));
        return all;
    }

    @Override
    public Optional<RunningCell> ran(String snippet) {
        return cells.ran(snippet);
    }

    private boolean isRunning(int number) {
        return running.stream().anyMatch(task -> task.cell.number() == number);
    }

    private void stop(int number, Thread thread) {
        cells.numbered(number).forEach(cell -> cell.stop(thread));
        thread.interrupt();
    }

    @Override
    public CellTask cell(String code, int number, CellOutput output) {
        return new Task(
                new RunningCell(code, number, new CappedOutput(output, settings), this),
                this::remembered);
    }

    private Optional<DisplayData> remembered(RunningCell cell, Shell shell) throws Exception {
        var entry = past.began(cell.number(), cell.code());
        var done = false;
        try {
            var result = new JavaRun(shell, cell).segments(this::magic);
            done = !cell.isStopped();
            return result;
        } finally {
            entry.ended(!done);
        }
    }

    @Override
    public CellTask work(Callable<?> work, int number, CellOutput output) {
        return new Task(
                new RunningCell("", number, new CappedOutput(output, settings), this),
                (cell, _) -> {
                    cell.thread().call(work);
                    return Optional.empty();
                });
    }

    /// What a task does with its cell.
    private interface Way {
        Optional<DisplayData> go(RunningCell cell, Shell shell) throws Exception;
    }

    private final class Task implements CellTask {
        private final RunningCell cell;
        private final Way way;
        private volatile RunningCell current;
        private volatile boolean stopped;

        Task(RunningCell cell, Way way) {
            this.cell = cell;
            this.way = way;
            current = cell;
        }

        @Override
        public CellOutcome run() {
            Guard.sweep();
            CurrentScope.latest(cell);
            cells.add(cell);
            last = cell;
            // Its limit counts from when Java is there.
            var unused = startup.shell();
            var began = System.nanoTime();
            try (var _ = Deadlines.after(settings.cellTimeout(), cell::expire)) {
                return run(cell, way);
            } finally {
                sayTime(began);
            }
        }

        private void sayTime(long began) {
            if (settings.cellTime()) {
                var took = Duration.ofNanos(System.nanoTime() - began);
                cell.notice("cell %d took %s".formatted(cell.number(), Durations.text(took)));
            }
        }

        @Override
        public Map<String, CellOutcome> evaluate(Map<String, String> expressions) {
            var outcomes = new LinkedHashMap<String, CellOutcome>();
            expressions.forEach(
                    (name, expression) ->
                            outcomes.put(name, run(cell.asked(expression), JavaCellEngine::value)));
            return outcomes;
        }

        private CellOutcome run(RunningCell part, Way itsWay) {
            current = part;
            running.add(this);
            try {
                if (stopped) {
                    return stopped(part);
                }
                var shell = startup.shell();
                startup.takeFailures().forEach(part::notice);
                takeRefused().forEach(part::notice);
                first(part);
                return part.ended(outcome(part, shell, itsWay));
            } finally {
                results.cellEnded();
                running.remove(this);
                part.thread().end();
                giveBack(part);
            }
        }

        @Override
        public void interrupt() {
            stopped = true;
            current.stop();
        }
    }

    private static void giveBack(RunningCell cell) {
        var taken = Streams.restore();
        if (!taken.isEmpty()) {
            cell.notice(
                    "%s was set elsewhere by this cell; for the next one it is what it was before"
                            .formatted(taken));
        }
    }

    private void first(RunningCell cell) {
        if (begun.compareAndSet(false, true)) {
            for (var extension : extensions) {
                try {
                    cell.thread()
                            .call(
                                    () -> {
                                        extension.first(cell);
                                        return true;
                                    });
                } catch (Exception e) {
                    cell.notice("start-up failed: " + e.getMessage());
                }
            }
        }
    }

    private List<String> takeRefused() {
        synchronized (refusedSettings) {
            var taken = List.copyOf(refusedSettings);
            refusedSettings.clear();
            return taken;
        }
    }

    private static Optional<DisplayData> value(RunningCell cell, Shell shell) throws Exception {
        var run = new JavaRun(shell, cell);
        return Optional.of(run.render(run.java(cell.code(), cell.code(), 0)));
    }

    private CellOutcome outcome(RunningCell cell, Shell shell, Way way) {
        try {
            var result = way.go(cell, shell);
            return cell.isStopped() ? stopped(cell) : new Done(result);
        } catch (ExitMagic.Asked e) {
            return new Exit();
        } catch (UserThread.Left e) {
            return left(cell, e);
        } catch (CellStopped e) {
            return stopped(cell);
        } catch (Throwable e) {
            // A cell's code may throw anything at all; the engine must outlive it.
            return cell.isStopped() ? stopped(cell) : told(cell, shell, e);
        }
    }

    /// Words a failure on the cell's own thread: the user's code runs in it, and may not end.
    private Failed told(RunningCell cell, Shell shell, Throwable thrown) {
        if (!(thrown instanceof CellFailure)) {
            results.threw(thrown);
        }
        try {
            var failed =
                    cell.thread()
                            .call(
                                    () ->
                                            Brief.within(
                                                    cell,
                                                    valueTimeout(),
                                                    () -> wording.thrown(shell, thrown)));
            return cell.isStopped() ? stopped(cell) : failed;
        } catch (UserThread.Left e) {
            return left(cell, e);
        } catch (CellStopped e) {
            return stopped(cell);
        } catch (Throwable e) {
            // The failure's own code failed: its name must do.
            return wording.line(
                    thrown.getClass().getSimpleName(), "it cannot be shown: " + e.getClass());
        }
    }

    private Failed stopped(RunningCell cell) {
        return cell.isExpired()
                ? wording.line("CellTimeout", tooLong())
                : wording.line("KeyboardInterrupt", "the cell was interrupted");
    }

    private String tooLong() {
        var limit = settings.find("cell.timeout").orElseThrow();
        return "the cell ran longer than %s and was stopped; %%config %s=... changes that"
                .formatted(limit.text(), limit.name());
    }

    private Failed left(RunningCell cell, UserThread.Left left) {
        var why = stopped(cell);
        return wording.line(
                why.name(),
                "%s; still running: 1 thread, inside %s, which heeds no interrupt; it was left behind, %%threads lists it"
                        .formatted(why.message(), left.getMessage()));
    }

    private @Nullable Object magic(Segment.Magic typed, RunningCell cell) throws Exception {
        var percents = typed.wholeCell() ? "%%" : "%";
        if (typed.name().endsWith("?")) {
            return help(typed.name().substring(0, typed.name().length() - 1), cell);
        }
        var magic =
                magics.find(typed.name())
                        .orElseThrow(
                                () ->
                                        new CellFailure(
                                                wording.line(
                                                        "UnknownMagic",
                                                        magics.unknown(percents, typed.name()))));
        misplaced(magic, typed)
                .ifPresent(
                        why -> {
                            throw new CellFailure(wording.line("UsageError", why));
                        });
        return magic.run(new Magic.Call(typed.name(), typed.arguments(), typed.body()), cell);
    }

    private @Nullable Object help(String name, RunningCell cell) throws Exception {
        var help = new HelpMagic("help", () -> magics);
        return help.run(new Magic.Call("help", name, ""), cell);
    }

    private static Optional<String> misplaced(Magic magic, Segment.Magic typed) {
        var name = typed.name();
        if (typed.wholeCell() && !typed.first() && magic.form() != Magic.Form.LINE) {
            return Optional.of("%%%%%s stands only in the first line of a cell".formatted(name));
        }
        return switch (magic.form()) {
            case LINE ->
                    typed.wholeCell()
                            ? Optional.of("%%%%%s takes one line: write %%%s".formatted(name, name))
                            : Optional.empty();
            case CELL ->
                    typed.wholeCell()
                            ? Optional.empty()
                            : Optional.of(
                                    "%%%s takes the whole cell: write %%%%%s in its first line"
                                            .formatted(name, name));
            case LINE_AND_CELL -> Optional.empty();
        };
    }

    @Override
    public ClassLoader loader() {
        return startup.shell().loader();
    }

    @Override
    public Duration valueTimeout() {
        return settings.valueTimeout();
    }

    @Override
    public DisplayData render(@Nullable Object value) {
        return renderings.render(value);
    }

    @Override
    public DisplayData render(@Nullable Object value, Set<String> types) {
        return renderings.render(value, types);
    }

    /// Takes up extensions that come while cells are run, and those that added jars bring.
    private final class Grown implements CellWorkspace.Growth {
        @Override
        public void activate(Extension extension) {
            extensions.add(extension);
            magics.add(extension.magics());
            renderings.add(extension.renderers());
            startup.evaluate(extension.startup());
        }

        @Override
        public void grown() {
            var loader = loader();
            Extensions.of(loader, extensions, this::warn).forEach(this::activate);
            extensions.forEach(extension -> extension.grown(loader));
            startup.takeFailures().forEach(this::warn);
        }

        private void warn(String line) {
            if (CurrentScope.find() instanceof RunningCell cell) {
                cell.notice(line);
            }
        }
    }

    @Override
    public @Nullable Object evaluate(RunningCell cell, String before, String java, String after)
            throws Exception {
        var place = cell.code().indexOf(java);
        var code = place < 0 ? java : cell.code();
        var offset = Math.max(0, place) - before.length();
        return new JavaRun(startup.shell(), cell).java(before + java + after, code, offset);
    }

    @Override
    public void interrupt() {
        running.forEach(Task::interrupt);
    }

    @Override
    public @Nullable Object run(RunningCell cell, String code) throws Exception {
        return new JavaRun(startup.shell(), cell).text(code, this::magic);
    }

    @Override
    public KeptResults results() {
        return results;
    }

    @Override
    public Workspace workspace() {
        return workspace;
    }

    @Override
    public Completion complete(String code, int cursor) {
        return questions.complete(code, cursor);
    }

    @Override
    public @Nullable DisplayData inspect(String code, int cursor, int detail) {
        return questions.inspect(code, cursor, detail);
    }

    @Override
    public Completeness completeness(String code) {
        return questions.completeness(code);
    }

    @Override
    public Map<String, Object> usage() {
        var usage = new LinkedHashMap<String, Object>();
        for (var extension : extensions) {
            extension.usage().forEach(usage::putIfAbsent);
        }
        return usage;
    }

    @Override
    public void close(boolean restart) {
        interrupt();
        extensions.forEach(extension -> extension.close(restart));
        var cell = last;
        if (cell != null) {
            CurrentScope.forget(cell);
        }
    }
}
