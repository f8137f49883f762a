package org.meshbook.elastic.head;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
    private final List<SliceGroup> slices = new ArrayList<>();
    private OpenSession client;
    private @Nullable ClientLink link;
    private Instant since = Instant.now();
    private Optional<ProvisionSlices> allocation = Optional.empty();
    private Optional<Set<Integer>> active = Optional.empty();
    private long generation;
    private int drops;
    private long memoryBytes;
    private long memoryNanos = System.nanoTime();

    Lease(String id, OpenSession client) {
        this.id = id;
        this.client = client;
    }

    String id() {
        return id;
    }

    String token() {
        return token;
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
        return Duration.ofMillis(client.getGraceMs());
    }

    void attach(ClientLink fresh, OpenSession opened) {
        link = fresh;
        client = opened;
        since = Instant.now();
        drops++;
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
        if (link != null) {
            link.membership(update(event));
        }
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
                .build();
    }

    private MembershipUpdate update(Optional<EventInfo> event) {
        var update = MembershipUpdate.newBuilder().setGeneration(generation);
        slices.forEach(slice -> update.addSlices(slice.info()));
        event.ifPresent(update::setEvent);
        allocation.ifPresent(update::setAllocation);
        return update.build();
    }
}
