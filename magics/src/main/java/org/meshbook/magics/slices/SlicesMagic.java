package org.meshbook.magics.slices;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.session.ProvisionRequest;
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
                            Flag.plain("--release", "frees the slices")));

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
            } else {
                lease.provision(request(given));
                show(cell);
            }
        } catch (ElasticException e) {
            throw oneLine(e);
        }
        return null;
    }

    private void release(Given given, Cell cell) {
        if (given.flags().size() > 1 || !given.words().isEmpty()) {
            throw new MagicException("%slices: --release stands alone, as in %slices --release");
        }
        int freed = lease.release();
        cell.out().println(freed == 0 ? "no slices to free" : "freed %d slices".formatted(freed));
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

    private static ProvisionRequest request(Given given) {
        int slices = given.number("slices", given.words().getFirst(), 1, MOST_SLICES);
        var request = ProvisionRequest.of(slices);
        request = request.withDevices(given.count("--devices", 1, MOST_DEVICES).orElse(1));
        request = request.withHosts(given.count("--hosts", 1, MOST_HOSTS).orElse(1));
        int cores = Runtime.getRuntime().availableProcessors();
        request = request.withThreads(given.count("--threads", 1, cores).orElse(0));
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
