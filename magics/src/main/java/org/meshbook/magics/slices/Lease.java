package org.meshbook.magics.slices;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.QueueRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.ElasticEvent.AttemptStarted;
import org.meshbook.elastic.manager.ElasticEvent.Grew;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.engine.EngineTable;

/// The slices of this process: a session with the head, opened when slices are first asked for.
///
/// Guarded by itself; the lock is never held while slices start.
public final class Lease {
    private static final String NAME = "meshbook.session.name";
    private static final String NOTEBOOK = "JPY_SESSION_NAME";

    private @Nullable Session session;
    private volatile Optional<String> elsewhere = Optional.empty();
    private volatile String engine = EngineTable.DEFAULT;

    /// @return the session, if one is open
    public synchronized Optional<Session> session() {
        return Optional.ofNullable(session);
    }

    /// @return membership now; empty if nothing is provisioned
    Optional<ClusterView> view() {
        return session()
                .filter(s -> s.allocation().isPresent())
                .map(s -> s.membership().now().view());
    }

    /// @return the engine that the next slices get unless another is named
    String engine() {
        return engine;
    }

    /// Chooses the engine of the next slices.
    ///
    /// @param name its name
    /// @throws UsageError if there is none of that name, or it lacks something
    void engine(String name) {
        Engines.check(name);
        engine = name;
    }

    /// @return whether a session is open, in a head that lives
    public synchronized boolean isOpen() {
        return session != null && session.isOpen();
    }

    /// Starts what lives in the head beside the slices; opens a session, which keeps it.
    ///
    /// @param name its name, as `cluster`
    /// @param options what is wanted of it
    /// @return how to reach it
    public Map<String, String> guest(String name, Map<String, String> options) {
        return opened().guest(name, options);
    }

    /// Provisions slices and makes them current; does nothing if the same are there.
    ///
    /// @param request what
    /// @throws MagicException if others are there
    /// @throws InterruptedException if the cell is interrupted; what came up is released
    void provision(ProvisionRequest request) throws InterruptedException {
        provision(writable(), request);
    }

    /// Asks for slices in a queue of the embedded cluster, unless the same were asked for already.
    ///
    /// @param request what, through which queue
    /// @return the session that has them, whether or not they are there yet
    /// @throws MagicException if others are there, or a real cluster is in use
    Session queue(ProvisionRequest request) throws InterruptedException {
        var other = elsewhere;
        if (other.isPresent()) {
            throw new MagicException(
                    "%%slices: slices come through queues of the embedded cluster only, and %s is in use; choose it by %%cluster embedded"
                            .formatted(other.get()));
        }
        var open = writable();
        // A head that has just begun has no cluster yet.
        var _ = open.guest("cluster", Map.of());
        provision(open, request);
        return open;
    }

    /// @param cluster what the magics about jobs talk to; empty for the embedded one
    public synchronized void elsewhere(Optional<String> cluster) {
        elsewhere = cluster;
    }

    private Session writable() {
        var open = opened();
        if (open.observes()) {
            throw new MagicException(
                    "%%slices: this kernel looks on at session %s; %%detach first, then ask for slices"
                            .formatted(open.id()));
        }
        return open;
    }

    private static void provision(Session open, ProvisionRequest request)
            throws InterruptedException {
        var had = open.allocation();
        if (had.isPresent()) {
            requireSame(had.get(), request);
            return;
        }
        open.provision(request);
        Manager.current().onEvent(event -> tellActive(open, event));
    }

    /// The head's status shows which slices the program uses.
    private static void tellActive(Session open, ElasticEvent event) {
        switch (event) {
            case AttemptStarted started -> open.active(started.active());
            case Grew grew -> open.active(grew.active());
            default -> {}
        }
    }

    /// @return `slices`: how many there are, how many are healthy, their devices, and the memory of
    ///   their hosts in bytes; empty if nothing is provisioned
    public Map<String, Object> usage() {
        return view().<Map<String, Object>>map(v -> Map.of("slices", figures(v))).orElse(Map.of());
    }

    private static Map<String, Object> figures(ClusterView view) {
        var figures = new LinkedHashMap<String, Object>();
        var slices = view.slices();
        figures.put("count", slices.size());
        figures.put(
                "healthy",
                slices.stream().filter(slice -> slice.state() == SliceState.HEALTHY).count());
        figures.put("devices", slices.stream().mapToInt(SliceView::devices).sum());
        figures.put(
                "memory",
                slices.stream()
                        .flatMap(slice -> slice.hosts().stream())
                        .mapToLong(HostView::memoryBytes)
                        .sum());
        return figures;
    }

    /// Frees the slices.
    ///
    /// @return how many there were
    int release() {
        var had = view().map(v -> v.slices().size()).orElse(0);
        session().ifPresent(Session::release);
        return had;
    }

    /// Ends the session.
    ///
    /// @param restart keeps the slices for the client that follows
    public void close(boolean restart) {
        session().ifPresent(s -> s.close(restart));
    }

    /// Takes over a session that waits for a client.
    ///
    /// @param id which
    /// @return it
    /// @throws MagicException if this program has slices of its own
    synchronized Session attach(String id) {
        return take(id, Session::attach);
    }

    /// Looks on at a session.
    ///
    /// @param id which
    /// @return it
    /// @throws MagicException if this program has slices of its own
    synchronized Session observe(String id) {
        return take(id, Session::observe);
    }

    private Session take(String id, BiFunction<String, SessionOptions, Session> way) {
        var had = session;
        if (had != null && had.isOpen()) {
            if (had.allocation().isPresent() && !had.observes()) {
                throw new MagicException(
                        "this kernel has session %s with %s; %%detach it or %%slices --release them first"
                                .formatted(had.id(), Sessions.slices(had)));
            }
        }
        var fresh = way.apply(id, options());
        if (had != null) {
            had.close();
        }
        session = fresh;
        if (!fresh.observes() && fresh.allocation().isPresent()) {
            Manager.current().onEvent(event -> tellActive(fresh, event));
        }
        return fresh;
    }

    /// Leaves the session to whoever attaches next.
    ///
    /// @param grace how long it is kept; empty leaves it as it is
    /// @return the session that was left; empty if there was none
    synchronized Optional<Session> detach(Optional<Duration> grace) {
        var had = session;
        session = null;
        if (had == null || !had.isOpen()) {
            return Optional.empty();
        }
        had.detach(grace);
        return Optional.of(had);
    }

    /// @return one line for each session that waits for a kernel; none where no person would read
    ///   it
    public List<String> offers() {
        try {
            return System.getProperty(NAME, "").equals("kernel") ? Sessions.offers() : List.of();
        } catch (UsageError noFolder) {
            // Who asks for slices is told.
            return List.of();
        }
    }

    static SessionOptions options() {
        return SessionOptions.named(name());
    }

    /// As "kernel of train.ipynb": other people's tables show it.
    private static String name() {
        var process = "pid " + ProcessHandle.current().pid();
        var name = System.getProperty(NAME, process);
        var notebook = System.getenv(NOTEBOOK);
        return notebook == null || notebook.isBlank() || name.equals(process)
                ? name
                : name + " of " + notebook.substring(notebook.lastIndexOf('/') + 1);
    }

    private synchronized Session opened() {
        if (session == null || !session.isOpen()) {
            session = Session.open(options());
        }
        return session;
    }

    /// How many the program waits for may change.
    private static Optional<QueueRequest> place(ProvisionRequest request) {
        return request.queue()
                .map(q -> new QueueRequest(q.queue(), q.flavor(), q.priorityClass(), 0, q.name()));
    }

    private static void requireSame(ProvisionRequest had, ProvisionRequest asked) {
        boolean same =
                had.slices() == asked.slices()
                        && (asked.hosts() == 0 || had.hosts() == asked.hosts())
                        && (asked.devices() == 0 || had.devices() == asked.devices())
                        && place(had).equals(place(asked))
                        && (asked.threads() == 0 || asked.threads() == had.threads())
                        && had.restartDelay().equals(asked.restartDelay())
                        && had.heartbeat().equals(asked.heartbeat())
                        && had.spares() == asked.spares()
                        && had.suspend() == asked.suspend()
                        && had.priority().equals(asked.priority())
                        && had.notice().equals(asked.notice());
        if (!same) {
            throw new MagicException(
                    "%%slices: %d slices of %d host(s) with %d device(s) are provisioned already; release them first, as in %%slices --release"
                            .formatted(had.slices(), had.hosts(), had.devices()));
        }
    }
}
