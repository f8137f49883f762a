package org.meshbook.kernel.session;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.comm.Conversations;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// One cell's output, sent under its request, also long after its end.
///
/// What is printed is gathered for a few milliseconds, so that a loop of prints makes few messages;
/// it is sent before anything else of the cell is, so that the order stays. A pair of surrogates is
/// never split between two messages.
final class LiveOutput implements CellOutput {
    private static final long WINDOW_MILLIS = 10;
    private static final int CHUNK_UNITS = 64 << 10;

    private final Outbox outbox;
    private final Parent parent;
    private final InputDesk input;
    private final Conversations conversations;
    private final ScheduledExecutorService timer;
    private final boolean silent;
    private final boolean mayAsk;
    private final ReentrantLock lock = new ReentrantLock();
    private final StringBuilder printed = new StringBuilder();
    private Stream stream = Stream.STDOUT;
    private boolean scheduled;

    /// @param silent whether nothing is shown
    /// @param mayAsk whether the user can be asked
    LiveOutput(
            Outbox outbox,
            Parent parent,
            InputDesk input,
            Conversations conversations,
            ScheduledExecutorService timer,
            boolean silent,
            boolean mayAsk) {
        this.outbox = outbox;
        this.parent = parent;
        this.input = input;
        this.conversations = conversations;
        this.timer = timer;
        this.silent = silent;
        this.mayAsk = mayAsk;
    }

    @Override
    public void write(Stream to, String text) {
        if (silent || text.isEmpty()) {
            return;
        }
        outbox.awaitRoom();
        lock.lock();
        try {
            if (to != stream) {
                send(true);
                stream = to;
            }
            printed.append(text);
            if (printed.length() >= CHUNK_UNITS) {
                send(false);
            }
            schedule();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void display(DisplayData data) {
        publish(new Publication.Display(Shown.bundle(data), data.id()));
    }

    @Override
    public void update(DisplayData data) {
        var id =
                data.id()
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "an update has no display id; name what it"
                                                        + " replaces"));
        publish(new Publication.UpdateDisplay(Shown.bundle(data), id));
    }

    @Override
    public void clear(boolean wait) {
        publish(new Publication.ClearOutput(wait));
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException, InterruptedException {
        if (!mayAsk) {
            throw new IOException("this front end cannot be asked for input");
        }
        flush();
        return input.ask(parent, new Publication.InputRequest(prompt, password));
    }

    @Override
    public Optional<Comms> comms() {
        return Optional.of(conversations.of(this::say));
    }

    /// Sends what was printed and not yet sent.
    void flush() {
        lock.lock();
        try {
            send(true);
        } finally {
            lock.unlock();
        }
    }

    /// Sends something in its place among what was printed.
    void publish(Publication publication) {
        if (!silent) {
            say(publication);
        }
    }

    /// Sends what is no output, as a comm's message, in its place; also of a silent cell.
    private void say(Publication publication) {
        outbox.awaitRoom();
        lock.lock();
        try {
            send(true);
            outbox.publish(parent, publication);
        } finally {
            lock.unlock();
        }
    }

    private void schedule() {
        if (scheduled || printed.isEmpty()) {
            return;
        }
        try {
            timer.schedule(this::windowEnds, WINDOW_MILLIS, TimeUnit.MILLISECONDS);
            scheduled = true;
        } catch (RejectedExecutionException e) {
            // The kernel leaves: nobody reads this any more.
            printed.setLength(0);
        }
    }

    private void windowEnds() {
        lock.lock();
        try {
            scheduled = false;
            // Half a pair whose other half did not come within a window never had one.
            send(printed.length() == 1);
            schedule();
        } finally {
            lock.unlock();
        }
    }

    private void send(boolean all) {
        var end = printed.length();
        if (!all && end > 0 && Character.isHighSurrogate(printed.charAt(end - 1))) {
            end--;
        }
        if (end > 0) {
            outbox.publish(
                    parent, new Publication.Stream(stream.word(), printed.substring(0, end)));
            printed.delete(0, end);
        }
    }
}
