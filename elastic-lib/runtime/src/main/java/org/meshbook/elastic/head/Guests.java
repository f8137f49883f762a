package org.meshbook.elastic.head;

import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.Guest;
import org.meshbook.elastic.slices.supply.Standing;
import org.meshbook.elastic.slices.supply.Supply;
import org.meshbook.elastic.slices.supply.SupplyRequest;
import org.meshbook.elastic.slices.supply.WorkerProgram;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.proto.GuestReply;
import org.meshbook.elastic.wire.proto.GuestRequest;

/// The guests of this head, on a thread of their own: one that starts slowly keeps no slice
/// waiting.
final class Guests implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Guests.class.getName());
    private static final Duration END = Duration.ofSeconds(20);

    private final RuntimeFolder folder;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("meshbook-head-guests").factory());

    /// Touched by the guests' thread only.
    private final Map<String, Guest.Running> running = new LinkedHashMap<>();

    Guests(RuntimeFolder folder) {
        this.folder = folder;
    }

    /// Starts a guest unless it runs, and answers what it says of itself.
    void ask(GuestRequest request, StreamObserver<GuestReply> answer) {
        try {
            thread.execute(
                    () -> {
                        answer.onNext(reply(request));
                        answer.onCompleted();
                    });
        } catch (RejectedExecutionException ended) {
            answer.onNext(GuestReply.newBuilder().setRefusal("the head is ending").build());
            answer.onCompleted();
        }
    }

    private GuestReply reply(GuestRequest request) {
        try {
            var name = request.getName();
            var guest = running.get(name);
            if (guest == null) {
                guest = start(found(name), request.getOptionsMap());
                running.put(name, guest);
                LOG.log(Level.INFO, "guest={0} started", name);
            }
            return GuestReply.newBuilder()
                    .putAllFacts(guest.facts(request.getOptionsMap()))
                    .build();
        } catch (UsageError | IOException e) {
            return GuestReply.newBuilder().setRefusal(String.valueOf(e.getMessage())).build();
        } catch (RuntimeException | LinkageError bug) {
            LOG.log(Level.ERROR, "guest=" + request.getName() + " failed", bug);
            return GuestReply.newBuilder()
                    .setRefusal(
                            "'%s' failed in the head: %s; see head.log in '%s'"
                                    .formatted(request.getName(), bug, folder.path()))
                    .build();
        }
    }

    /// Has a supply look at a request.
    ///
    /// @param settled told what the slices will have
    /// @param refused told why not, in one line
    void settle(SupplyRequest request, Consumer<SupplyRequest> settled, Consumer<String> refused) {
        onThread(
                () -> {
                    try {
                        settled.accept(supply().settle(request));
                    } catch (UsageError refusal) {
                        refused.accept(String.valueOf(refusal.getMessage()));
                    } catch (RuntimeException bug) {
                        LOG.log(Level.ERROR, "a supply failed", bug);
                        refused.accept(
                                "the queue failed: %s; see head.log in '%s'"
                                        .formatted(bug, folder.path()));
                    }
                },
                () -> refused.accept("the head is ending"));
    }

    /// Asks for slices; what goes wrong is told as why they wait.
    void request(SupplyRequest request, WorkerProgram worker, Consumer<Standing> told) {
        onThread(
                () -> {
                    try {
                        supply().request(request, worker, told);
                    } catch (RuntimeException failure) {
                        LOG.log(Level.ERROR, "a supply failed", failure);
                        for (int slice = 0; slice < request.slices(); slice++) {
                            told.accept(
                                    new Standing(
                                            request.session(),
                                            slice,
                                            "-",
                                            Standing.Phase.WAITING,
                                            0,
                                            "cannot be asked for: " + failure.getMessage()));
                        }
                    }
                },
                () -> LOG.log(Level.DEBUG, "too late to ask for slices"));
    }

    /// Takes back all that a session asked for; done before the guests end.
    void withdraw(String session, Runnable done) {
        onThread(
                () -> {
                    try {
                        supply().withdraw(session);
                    } catch (RuntimeException failure) {
                        LOG.log(Level.ERROR, "session=" + session + " is not withdrawn", failure);
                    }
                    done.run();
                },
                done);
    }

    private Supply supply() {
        return running.values().stream()
                .flatMap(guest -> guest.supply().stream())
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "no queue lives in this head; start its cluster first, as"
                                                + " with %%cluster embedded"));
    }

    private void onThread(Runnable task, Runnable tooLate) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException ended) {
            tooLate.run();
        }
    }

    private static Guest found(String name) {
        var all =
                ServiceLoader.load(Guest.class).stream().map(ServiceLoader.Provider::get).toList();
        return all.stream()
                .filter(guest -> guest.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name, all));
    }

    private static UsageError unknown(String name, List<Guest> all) {
        return new UsageError(
                "the head has no guest '%s'; it knows %s",
                name,
                all.isEmpty() ? "none" : String.join(", ", all.stream().map(Guest::name).toList()));
    }

    private Guest.Running start(Guest guest, Map<String, String> options) throws IOException {
        var own = folder.file(guest.name());
        if (!Files.isDirectory(own)) {
            Files.createDirectory(
                    own,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        return guest.start(own, options);
    }

    /// Ends them all; waits a moment for one that is starting.
    @Override
    public void close() {
        try {
            thread.execute(this::endAll);
            thread.shutdown();
            if (!thread.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "guests did not end within {0} s", END.toSeconds());
            }
        } catch (RejectedExecutionException again) {
            LOG.log(Level.DEBUG, "guests have ended already");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endAll() {
        for (var each : running.entrySet()) {
            try {
                each.getValue().close();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "guest=" + each.getKey() + " did not end well", e);
            }
        }
        running.clear();
    }
}
