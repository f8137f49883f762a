package org.meshbook.kernel.cell;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellOutput.Stream;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;
import org.meshbook.kernel.jshell.CellStopped;
import org.meshbook.kernel.jshell.Guard;
import org.meshbook.kernel.jshell.UserThread;
import org.meshbook.kernel.jshell.Work;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Workspace;

/// One cell while it runs, and for the threads that it leaves behind.
final class RunningCell implements Scope, Cell, Guard.Stoppable {
    /// How long after an interrupt the threads that the cell started are stopped, too. Later they
    /// may be threads of a library that other cells use.
    private static final Duration REACH = Duration.ofSeconds(2);

    private static final AtomicLong COUNT = new AtomicLong();

    private final long sequence = COUNT.incrementAndGet();
    private final String code;
    private final int number;
    private final CappedOutput output;
    private final CellHost host;
    private final Utf8Tail outTail = new Utf8Tail();
    private final Utf8Tail errTail = new Utf8Tail();
    private final List<Consumer<End>> endings = new CopyOnWriteArrayList<>();
    private final UserThread thread;
    private final Set<Thread> stoppedThreads = ConcurrentHashMap.newKeySet();
    private volatile long stoppedAt;
    private volatile boolean expired;
    private volatile @Nullable Runnable heeding;

    RunningCell(String code, int number, CappedOutput output, CellHost host) {
        // A mark that some editors put before a text.
        this.code = code.startsWith("\uFEFF") ? " " + code.substring(1) : code;
        this.number = number;
        this.output = output;
        this.host = host;
        thread =
                new UserThread(
                        "cell " + number,
                        () -> {
                            CurrentScope.bind(this);
                            Thread.currentThread().setContextClassLoader(host.loader());
                        });
    }

    String code() {
        return code;
    }

    UserThread thread() {
        return thread;
    }

    /// @param expression what is asked about this cell, after it ran
    /// @return a cell of its own for the question, with this one's output
    RunningCell asked(String expression) {
        return new RunningCell(expression, number, output, host);
    }

    void stop() {
        stoppedAt = Math.max(1, System.nanoTime());
        var listener = heeding;
        if (listener != null) {
            listener.run();
        }
        Guard.raise(this);
        thread.stop();
    }

    @Override
    public void heeding(Runnable interrupted, Heeding work) throws InterruptedException {
        UserThread.shield();
        heeding = interrupted;
        try {
            if (isStopped()) {
                // It came before anybody listened.
                interrupted.run();
            }
            work.run();
        } finally {
            heeding = null;
            UserThread.unshield();
        }
    }

    /// Stops one of the threads that it has started, now or when it comes back to the cell's code.
    void stop(Thread one) {
        stoppedThreads.add(one);
        Guard.raise(this);
        one.interrupt();
    }

    /// Stops it because its time is over.
    void expire() {
        expired = true;
        stop();
    }

    boolean isExpired() {
        return expired;
    }

    boolean isStopped() {
        return stoppedAt != 0;
    }

    Wording wording() {
        return host.wording();
    }

    /// @param printed a frame as `Throwable` prints it, without its lead
    /// @return how to print it; empty if it says nothing to the user
    Optional<String> frame(String printed) {
        return host.frame(printed);
    }

    /// @return what was thrown, worded
    CellOutcome.Failed failure(Throwable thrown) {
        return host.failure(thrown);
    }

    @Override
    public boolean stops() {
        return stoppedAt != 0 && (thread.isCurrent() || withinReach())
                || stoppedThreads.contains(Thread.currentThread());
    }

    @Override
    public boolean ran(String snippet) {
        return thread.ran(snippet);
    }

    @Override
    public boolean isOver() {
        stoppedThreads.removeIf(one -> !one.isAlive());
        return !withinReach() && !thread.isLeftBehind() && stoppedThreads.isEmpty();
    }

    private boolean withinReach() {
        return System.nanoTime() - stoppedAt < REACH.toNanos();
    }

    /// Counts cells in the order of their making, whatever number they are shown with.
    long sequence() {
        return sequence;
    }

    @Override
    public Scope doing(boolean born) {
        if (thread.isCurrent() || !Work.isShared()) {
            return this;
        }
        var snippet = Work.outermost();
        return snippet == null
                ? this
                : host.ran(snippet)
                        .filter(other -> !born || other.sequence() > sequence)
                        .orElse(this);
    }

    @Override
    public void write(boolean error, byte[] bytes, int offset, int length) {
        var text = (error ? errTail : outTail).text(bytes, offset, length);
        if (!text.isEmpty()) {
            output.write(error ? Stream.STDERR : Stream.STDOUT, text);
        }
    }

    void notice(String line) {
        output.always(line + "\n");
    }

    @Override
    public void display(DisplayData data) {
        output.display(data);
    }

    @Override
    public void update(DisplayData data) {
        output.update(data);
    }

    @Override
    public void clear(boolean wait) {
        output.clear(wait);
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException, InterruptedException {
        return output.ask(prompt, password);
    }

    @Override
    public DisplayData render(@Nullable Object value) {
        return Brief.within(this, host.valueTimeout(), () -> host.render(value));
    }

    @Override
    public DisplayData render(@Nullable Object value, Set<String> types) {
        return Brief.within(this, host.valueTimeout(), () -> host.render(value, types));
    }

    @Override
    public List<String> trace(Throwable thrown) {
        return thrown instanceof CellStopped
                ? List.of("KeyboardInterrupt: the callback was interrupted")
                : failure(thrown).trace();
    }

    @Override
    public boolean replaces() {
        return output.replaces();
    }

    @Override
    public boolean onEnd(Consumer<End> listener) {
        if (!thread.isCurrent()) {
            return false;
        }
        endings.add(listener);
        return true;
    }

    /// Its own code is over.
    CellOutcome ended(CellOutcome outcome) {
        var end =
                isStopped()
                        ? End.INTERRUPTED
                        : outcome instanceof CellOutcome.Failed ? End.FAILED : End.DONE;
        endings.forEach(listener -> listener.accept(end));
        endings.clear();
        return outcome;
    }

    @Override
    public PrintStream out() {
        return Streams.of(this, false);
    }

    @Override
    public PrintStream err() {
        return Streams.of(this, true);
    }

    @Override
    public @Nullable Object evaluate(String java) throws Exception {
        return host.evaluate(this, "", java, "");
    }

    @Override
    public @Nullable Object evaluate(String before, String java, String after) throws Exception {
        return host.evaluate(this, before, java, after);
    }

    @Override
    public @Nullable Object around(Around around, Callable<@Nullable Object> work)
            throws Exception {
        return thread.around(around::run, work);
    }

    @Override
    public @Nullable Object run(String code) throws Exception {
        return host.run(this, code);
    }

    @Override
    public Optional<Cell> asCell() {
        return Optional.of(this);
    }

    @Override
    public Workspace workspace() {
        return host.workspace();
    }

    @Override
    public Optional<Comms> comms() {
        return output.comms();
    }

    @Override
    public KeptResults results() {
        return host.results();
    }

    @Override
    public int number() {
        return number;
    }
}
