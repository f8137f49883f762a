package org.meshbook.magics.slices;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.QueueRequest;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.slices.Priority;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// Provisions slices, shows them, frees them.
public final class SlicesMagic implements Magic {
    private static final int MOST_SLICES = 64;
    private static final int MOST_HOSTS = 16;
    private static final int MOST_DEVICES = 64;
    private static final Duration SHORTEST_HEARTBEAT = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%slices",
                    List.of("N"),
                    List.of(
                            new Flag("--devices", "D", "devices of each host (1)"),
                            new Flag("--hosts", "H", "hosts of each slice, one process each (1)"),
                            new Flag("--threads", "T", "engine threads of a host (cores / hosts)"),
                            new Flag("--engine", "NAME", "onnx, xla or reference (as %engine)"),
                            new Flag(
                                    "--restart-delay",
                                    "TIME",
                                    "from a loss to the start of the next processes (2s)"),
                            new Flag(
                                    "--heartbeat",
                                    "TIME",
                                    "interval; three missed are a loss (1s)"),
                            new Flag(
                                    "--notice",
                                    "TIME",
                                    "that a slice serves on when it is asked to end (10s)"),
                            new Flag(
                                    "--spares",
                                    "S",
                                    "idle slices, each takes the place of a lost one at once (0)"),
                            Flag.plain(
                                    "--suspend",
                                    "puts a slice that is asked to end into an image, within the"
                                            + " notice; it comes back with it"),
                            new Flag(
                                    "--priority",
                                    "P",
                                    "very-low to very-high or a number: a lost slice takes the"
                                            + " place of one with a lower priority (medium)"),
                            new Flag(
                                    "--queue",
                                    "QUEUE",
                                    "the slices come and go through this LocalQueue; waits for"
                                            + " them, and can be interrupted"),
                            new Flag("--flavor", "F", "of the queue (as the queue chooses)"),
                            new Flag(
                                    "--priority-class",
                                    "CLASS",
                                    "who goes before whom in the queue: a WorkloadPriorityClass"),
                            new Flag(
                                    "--at-least",
                                    "M",
                                    "slices to wait for in the queue, 0 for none (all)"),
                            new Flag(
                                    "--name",
                                    "NAME",
                                    "of the jobs in the queue, as NAME-slice-0 (the session's)"),
                            Flag.plain("--release", "frees the slices, as %slices 0 does")));

    private final Lease lease;

    /// @param lease the slices of this process
    public SlicesMagic(Lease lease) {
        this.lease = lease;
    }

    @Override
    public String name() {
        return "slices";
    }

    @Override
    public String group() {
        return "slices";
    }

    @Override
    public String help() {
        return """
        Provisions slices, shows them, frees them.

          %slices 4 --devices 2   starts four slices of two devices each
          %slices                 shows the slices: state, pid, devices, memory, since
          %slices 4 --queue user-queue
                                  asks for four slices in a queue of the embedded cluster
          %slices --release       frees them

        """
                + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return GRAMMAR.complete(arguments, cursor);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws InterruptedException {
        var given = GRAMMAR.parse(call.arguments());
        try {
            if (given.has("--release")) {
                release(given, cell);
            } else if (given.words().isEmpty()) {
                requireNoFlags(given);
                show(cell);
            } else if (given.words().getFirst().equals("0")) {
                release(cell);
            } else {
                provision(request(given), cell);
                show(cell);
            }
        } catch (ElasticException e) {
            throw oneLine(e);
        }
        return null;
    }

    private void provision(ProvisionRequest request, Cell cell) throws InterruptedException {
        if (request.queue().isEmpty()) {
            lease.provision(request);
            return;
        }
        var session = lease.queue(request);
        new QueueWait(lease, session, request, cell).run();
    }

    private void release(Given given, Cell cell) {
        if (given.flags().size() > 1 || !given.words().isEmpty()) {
            throw new MagicException("%slices: --release stands alone, as in %slices --release");
        }
        release(cell);
    }

    private void release(Cell cell) {
        int freed = lease.release();
        cell.out().println(freed == 0 ? "no slices to free" : "freed " + Sessions.count(freed));
    }

    private void show(Cell cell) {
        lease.view()
                .ifPresentOrElse(
                        view -> cell.display(SlicesTable.of(view, Instant.now()).display()),
                        () ->
                                cell.out()
                                        .println(
                                                "no slices are provisioned; ask for some, as in"
                                                        + " %slices 4 --devices 2"));
    }

    private ProvisionRequest request(Given given) {
        int slices = given.number("slices", given.words().getFirst(), 1, MOST_SLICES);
        var queue = queue(given, slices);
        var request = ProvisionRequest.of(slices);
        if (queue.isPresent()) {
            request = request.through(queue.get());
        }
        // A queue's slices may have a size of their own.
        int otherwise = queue.isPresent() ? 0 : 1;
        request = request.withDevices(given.count("--devices", 1, MOST_DEVICES).orElse(otherwise));
        request = request.withHosts(given.count("--hosts", 1, MOST_HOSTS).orElse(otherwise));
        int cores = Runtime.getRuntime().availableProcessors();
        request = request.withThreads(given.count("--threads", 1, cores).orElse(0));
        var engine = given.text("--engine").orElse(lease.engine());
        Engines.check(engine);
        request = request.withEngine(engine);
        request =
                request.withRestartDelay(
                        time(given, "--restart-delay", Duration.ZERO, request.restartDelay()));
        request =
                request.withHeartbeat(
                        time(given, "--heartbeat", SHORTEST_HEARTBEAT, request.heartbeat()));
        request = request.withSpares(given.count("--spares", 0, MOST_SLICES).orElse(0));
        request = request.withSuspend(given.has("--suspend"));
        if (given.has("--priority")) {
            request = request.withPriority(Priority.of(given.text("--priority").orElse("")));
        }
        return request.withNotice(time(given, "--notice", Duration.ZERO, request.notice()));
    }

    private static Optional<QueueRequest> queue(Given given, int slices) {
        var queue = given.text("--queue");
        if (queue.isEmpty()) {
            for (var flag : List.of("--flavor", "--priority-class", "--at-least", "--name")) {
                if (given.has(flag)) {
                    throw new MagicException(
                            "%%slices: %s is about a queue; name one, as in --queue user-queue"
                                    .formatted(flag));
                }
            }
            return Optional.empty();
        }
        return Optional.of(
                new QueueRequest(
                        queue.get(),
                        given.text("--flavor").orElse(""),
                        given.text("--priority-class").orElse(""),
                        given.count("--at-least", 0, slices).orElse(slices),
                        given.text("--name").orElse("")));
    }

    private static Duration time(Given given, String flag, Duration least, Duration otherwise) {
        var time = given.time(flag).orElse(otherwise);
        if (time.compareTo(least) < 0 || time.compareTo(LONGEST) > 0) {
            throw new MagicException(
                    "%%slices: %s is '%s'; give a time from %dms to %dh"
                            .formatted(
                                    flag,
                                    given.text(flag).orElse(""),
                                    least.toMillis(),
                                    LONGEST.toHours()));
        }
        return time;
    }

    private static void requireNoFlags(Given given) {
        if (!given.flags().isEmpty()) {
            throw new MagicException(
                    "%%slices: %s needs a number of slices before it, as in %%slices 4 %s"
                            .formatted(
                                    given.flags().keySet().iterator().next(),
                                    given.flags().keySet().iterator().next()));
        }
    }

    static MagicException oneLine(ElasticException e) {
        var line = new MagicException(String.valueOf(e.getMessage()));
        line.initCause(e);
        return line;
    }
}
