package org.meshbook.magics.slices;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.ElasticEvent.AttemptStarted;
import org.meshbook.elastic.manager.ElasticEvent.Grew;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.kernel.spi.MagicException;

/// The slices of this process: a session with the head, opened when slices are first asked for.
///
/// Guarded by itself; the lock is never held while slices start.
public final class Lease {
    private static final String NAME = "meshbook.session.name";

    private @Nullable Session session;

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

    /// Provisions slices and makes them current; does nothing if the same are there.
    ///
    /// @param request what
    /// @throws MagicException if others are there
    /// @throws InterruptedException if the cell is interrupted; what came up is released
    void provision(ProvisionRequest request) throws InterruptedException {
        var open = opened();
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

    private synchronized Session opened() {
        if (session == null || !session.isOpen()) {
            var name = System.getProperty(NAME, "pid " + ProcessHandle.current().pid());
            session = Session.open(SessionOptions.named(name));
        }
        return session;
    }

    private static void requireSame(ProvisionRequest had, ProvisionRequest asked) {
        boolean same =
                had.slices() == asked.slices()
                        && had.hosts() == asked.hosts()
                        && had.devices() == asked.devices()
                        && (asked.threads() == 0 || asked.threads() == had.threads())
                        && had.restartDelay().equals(asked.restartDelay())
                        && had.heartbeat().equals(asked.heartbeat())
                        && had.notice().equals(asked.notice());
        if (!same) {
            throw new MagicException(
                    "%%slices: %d slices of %d host(s) with %d device(s) are provisioned already; release them first, as in %%slices --release"
                            .formatted(had.slices(), had.hosts(), had.devices()));
        }
    }
}
