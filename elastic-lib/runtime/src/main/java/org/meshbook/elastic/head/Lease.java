package org.meshbook.elastic.head;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.wire.SessionFile;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.proto.EventInfo;
import org.meshbook.elastic.wire.proto.MembershipUpdate;
import org.meshbook.elastic.wire.proto.OpenSession;
import org.meshbook.elastic.wire.proto.ProvisionSlices;
import org.meshbook.elastic.wire.proto.SessionInfo;

/// One session: its client, attached or not, and its slices. On the head's thread only.
final class Lease {
    private final String id;
    private final String token = TokenCheck.newToken();
    private final String observerToken = TokenCheck.newToken();
    private final List<SliceGroup> slices = new ArrayList<>();
    private final List<ClientLink> observers = new ArrayList<>();
    private final NameBoard names = new NameBoard();
    private OpenSession client;
    private @Nullable ClientLink link;
    private Instant since = Instant.now();
    private Optional<ProvisionSlices> allocation = Optional.empty();
    private Optional<Set<Integer>> active = Optional.empty();
    private long generation;
    private int drops;
    private long memoryBytes;
    private long memoryNanos = System.nanoTime();
    private Duration grace;
    private long numbers;

    Lease(String id, OpenSession client) {
        this.id = id;
        this.client = client;
        this.grace = Duration.ofMillis(client.getGraceMs());
    }

    String id() {
        return id;
    }

    String token() {
        return token;
    }

    String observerToken() {
        return observerToken;
    }

    NameBoard names() {
        return names;
    }

    List<ClientLink> observers() {
        return observers;
    }

    List<SliceGroup> slices() {
        return slices;
    }

    Optional<ProvisionSlices> allocation() {
        return allocation;
    }

    OpenSession client() {
        return client;
    }

    Duration grace() {
        return grace;
    }

    void attach(ClientLink fresh, OpenSession opened) {
        link = fresh;
        client = opened;
        grace = Duration.ofMillis(opened.getGraceMs());
        since = Instant.now();
        drops++;
    }

    /// Numbers of a client that comes later are greater, also if the clock was put back: no client
    /// uses up so many.
    long nextNumbers() {
        numbers = Math.max(System.currentTimeMillis() << 20, numbers + (1L << 40));
        return numbers;
    }

    /// The grace period from now on.
    void keepFor(Duration time) {
        grace = time;
    }

    /// @return number of this drop; a later attach makes it void
    int detach() {
        link = null;
        since = Instant.now();
        return ++drops;
    }

    boolean attached() {
        return link != null;
    }

    boolean attachedBy(ClientLink other) {
        return link == other;
    }

    boolean stillDropped(int drop) {
        return link == null && drops == drop;
    }

    void provisioned(ProvisionSlices what) {
        allocation = Optional.of(what);
        active = Optional.empty();
    }

    void released() {
        allocation = Optional.empty();
        active = Optional.empty();
        slices.clear();
        names.clear();
    }

    void active(Set<Integer> indices) {
        active = Optional.of(Set.copyOf(indices));
    }

    boolean isActive(SliceGroup slice) {
        return active.map(set -> set.contains(slice.id())).orElse(slice.serves());
    }

    /// A slice was lost or returned.
    void turn() {
        generation++;
    }

    void push(Optional<EventInfo> event) {
        if (link != null || !observers.isEmpty()) {
            var update = update(event);
            observers.forEach(observer -> observer.membership(update));
            if (link != null) {
                link.membership(update);
            }
        }
    }

    /// Shows an observer what there is.
    void show(ClientLink observer) {
        observer.membership(update(Optional.empty()));
    }

    /// @return as "kernel, pid 4711"
    String holder() {
        return client.getName().equals("pid " + client.getPid())
                ? client.getName()
                : client.getName() + ", pid " + client.getPid();
    }

    Instant since() {
        return since;
    }

    /// Memory is told without an event, and not at each heartbeat.
    void pushMemory(Duration atMostEvery, long stepBytes) {
        long now = System.nanoTime();
        long bytes =
                slices.stream()
                        .flatMap(slice -> slice.hosts().stream())
                        .mapToLong(HostProcess::memoryBytes)
                        .sum();
        if (now - memoryNanos >= atMostEvery.toNanos()
                && Math.abs(bytes - memoryBytes) >= stepBytes) {
            memoryNanos = now;
            memoryBytes = bytes;
            push(Optional.empty());
        }
    }

    SessionInfo info() {
        return SessionInfo.newBuilder()
                .setId(id)
                .setName(client.getName())
                .setPid(client.getPid())
                .setState(attached() ? "attached" : "detached")
                .setSlices(slices.size())
                .setSinceMicros(EventLog.micros(since))
                .addAllNames(names.names())
                .setObservers(observers.size())
                .setGraceMs(grace.toMillis())
                .build();
    }

    SessionFile file() {
        return new SessionFile(
                id,
                client.getName(),
                client.getPid(),
                ProcessHandle.current().pid(),
                attached() ? SessionFile.State.ATTACHED : SessionFile.State.DETACHED,
                slices.size(),
                since,
                grace,
                names.names(),
                token,
                observerToken,
                "");
    }

    private MembershipUpdate update(Optional<EventInfo> event) {
        var update = MembershipUpdate.newBuilder().setGeneration(generation);
        slices.forEach(slice -> update.addSlices(slice.info()));
        event.ifPresent(update::setEvent);
        allocation.ifPresent(update::setAllocation);
        return update.build();
    }
}
