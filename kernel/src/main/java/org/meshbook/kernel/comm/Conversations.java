package org.meshbook.kernel.comm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.protocol.CommPayload;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.spi.Comm;
import org.meshbook.kernel.spi.Comms;

/// All comms of one kernel: which are open, and who answers when the front end opens one.
/// Thread-safe.
///
/// A message of ours is sent under the cell, or the callback, that the calling thread belongs to; a
/// thread of nobody speaks for the cell that opened the comm. What a callback does is run by
/// whoever called [#heard], as a cell is.
public final class Conversations {
    private final Consumer<Publication> announcements;
    private final AtomicLong order = new AtomicLong();
    private final Map<Long, OpenComm> open = new ConcurrentSkipListMap<>();
    private final Map<String, BiConsumer<Comm, Comm.Message>> targets = new ConcurrentHashMap<>();

    /// @param announcements publishes what belongs to no request
    public Conversations(Consumer<Publication> announcements) {
        this.announcements = announcements;
    }

    /// @param voice sends under one cell or callback, after what it printed
    /// @return these, as that cell sees them
    public Comms of(Consumer<Publication> voice) {
        return new CellComms(this, voice);
    }

    void register(String target, BiConsumer<Comm, Comm.Message> opened) {
        targets.put(target, opened);
    }

    void unregister(String target) {
        targets.remove(target);
    }

    /// Opens a comm from here.
    ///
    /// @param voice of the cell that opens it
    /// @throws IllegalArgumentException if the message is no JSON-like tree
    Comm open(String target, Comm.Message first, Consumer<Publication> voice) {
        var comm = enter(UUID.randomUUID().toString(), target, voice);
        try {
            say(comm, new Publication.CommOpened(comm.id(), target, payload(first)));
        } catch (IllegalArgumentException e) {
            open.remove(comm.order());
            throw e;
        }
        return comm;
    }

    /// @param target only those of this target
    /// @return ids of open comms to their targets, oldest first
    public Map<String, String> targets(Optional<String> target) {
        var found = new LinkedHashMap<String, String>();
        for (var comm : open.values()) {
            if (target.isEmpty() || target.get().equals(comm.target())) {
                found.put(comm.id(), comm.target());
            }
        }
        return found;
    }

    /// Takes what the front end says.
    ///
    /// @param request what it says
    /// @param voice to answer by
    /// @return what is to be run for it, if anything
    public Optional<Callable<?>> heard(Request.OnComm request, Consumer<Publication> voice) {
        return switch (request) {
            case Request.CommOpen opened -> opened(opened, voice);
            case Request.CommMessage said ->
                    find(said.comm()).flatMap(comm -> call(comm.listener(), said));
            case Request.CommClose closed -> {
                var comm = find(closed.comm());
                comm.ifPresent(found -> open.remove(found.order()));
                yield comm.flatMap(found -> call(found.closeListener(), closed));
            }
        };
    }

    private Optional<Callable<?>> opened(Request.CommOpen request, Consumer<Publication> voice) {
        var taker = targets.get(request.target());
        if (taker == null) {
            voice.accept(new Publication.CommClosed(request.comm(), CommPayload.EMPTY));
            return Optional.empty();
        }
        find(request.comm()).ifPresent(old -> open.remove(old.order()));
        var comm = enter(request.comm(), request.target(), voice);
        return Optional.of(
                () -> {
                    try {
                        taker.accept(comm, message(request.payload()));
                    } catch (Throwable t) {
                        // Nobody took it; the one who runs this shows why.
                        comm.close(Comm.Message.of(Map.of()));
                        throw t;
                    }
                    return comm;
                });
    }

    private static Optional<Callable<?>> call(
            @Nullable Consumer<Comm.Message> listener, Request.OnComm request) {
        if (listener == null) {
            return Optional.empty();
        }
        return Optional.of(
                () -> {
                    listener.accept(message(request.payload()));
                    return listener;
                });
    }

    /// Closes all, because the kernel ends; nobody is called.
    public void closeAll() {
        for (var comm : open.values()) {
            if (open.remove(comm.order()) != null) {
                announcements.accept(new Publication.CommClosed(comm.id(), CommPayload.EMPTY));
            }
        }
    }

    void send(OpenComm comm, Comm.Message message) {
        if (open.containsKey(comm.order())) {
            say(comm, new Publication.CommSaid(comm.id(), payload(message)));
        }
    }

    void close(OpenComm comm, Comm.Message last) {
        if (open.remove(comm.order()) != null) {
            say(comm, new Publication.CommClosed(comm.id(), payload(last)));
        }
    }

    private OpenComm enter(String id, String target, Consumer<Publication> voice) {
        var comm = new OpenComm(this, order.incrementAndGet(), id, target, voice);
        open.put(comm.order(), comm);
        return comm;
    }

    private Optional<OpenComm> find(String id) {
        return open.values().stream().filter(comm -> comm.id().equals(id)).findFirst();
    }

    private void say(OpenComm comm, Publication publication) {
        var scope = CurrentScope.inherited();
        var voice =
                scope != null
                                && scope.comms().orElse(null) instanceof CellComms here
                                && here.conversations() == this
                        ? here.voice()
                        : comm.opener();
        voice.accept(publication);
    }

    private static CommPayload payload(Comm.Message message) {
        return new CommPayload(message.data(), message.metadata(), message.buffers());
    }

    private static Comm.Message message(CommPayload payload) {
        return new Comm.Message(payload.data(), payload.metadata(), payload.buffers());
    }
}
