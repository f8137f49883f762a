package org.meshbook.elastic.head;

import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.slices.supply.Standing;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.proto.WorkerAsk;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// Slices that come and go through a queue: somebody else starts their processes, and the head
/// takes in those that ask. On the head's thread only.
///
/// Queued → admitted → a process asks → it is adopted as a host of the next generation → it
/// registers as any other. When the queue takes a slice away, its processes are asked to end, which
/// is an announced leave; once they are gone, the slice waits again.
final class Admission {
    private final SliceKeeper keeper;
    private final Map<String, Lease> expected = new HashMap<>();

    /// Processes whose slice has not lost its last ones yet, in the order in which they asked.
    private final Map<StreamObserver<WorkerWelcome>, WorkerAsk> asking = new LinkedHashMap<>();

    private String headToken = "";

    Admission(SliceKeeper keeper) {
        this.keeper = keeper;
    }

    void open(String token) {
        headToken = token;
    }

    void expect(Lease lease) {
        expected.put(lease.id(), lease);
    }

    /// Its processes have nothing to do here any more.
    void forget(Lease lease) {
        if (expected.remove(lease.id()) == null) {
            return;
        }
        var strangers =
                asking.entrySet().stream()
                        .filter(e -> e.getValue().getSession().equals(lease.id()))
                        .map(Map.Entry::getKey)
                        .toList();
        strangers.forEach(asking::remove);
        strangers.forEach(StreamObserver::onCompleted);
    }

    /// The queue has decided, or says more.
    void stood(Standing now) {
        var found = slice(now.session(), now.slice());
        if (found.isEmpty()) {
            return;
        }
        var slice = found.get();
        boolean news = !slice.stands(now.phase());
        slice.stands(now);
        if (news) {
            var word = word(now.phase());
            keeper.note(slice, word, now.text().replaceFirst("^" + word + " ", ""));
        }
        if (slice.isQueued()) {
            slice.queued(why(now));
        }
        ended(slice);
        slice.lease().push(Optional.empty());
    }

    private static String word(Standing.Phase phase) {
        return switch (phase) {
            case WAITING -> "queued";
            case GRANTED -> "admitted";
            case REVOKED -> "preempted";
        };
    }

    private static String why(Standing now) {
        return switch (now.phase()) {
            case WAITING -> now.text();
            case GRANTED -> now.text().isEmpty() ? "admitted" : now.text();
            case REVOKED -> "taken away: " + now.text();
        };
    }

    /// A slice without processes waits, unless its pods are about to come again by themselves.
    void ended(SliceGroup slice) {
        var standing = slice.standing();
        if (slice.running() || !slice.allEnded() || standing.isEmpty()) {
            return;
        }
        if (!slice.isQueued() && !slice.stands(Standing.Phase.GRANTED)) {
            slice.queued(why(standing.get()));
            slice.lease().push(Optional.empty());
        }
        for (var each : new LinkedHashMap<>(asking).entrySet()) {
            answer(each.getKey(), each.getValue());
        }
    }

    /// A process that the head did not start asks what to do.
    void asked(StreamObserver<WorkerWelcome> link, WorkerAsk ask) {
        if (!TokenCheck.matches(headToken, ask.getToken())
                || slice(ask.getSession(), ask.getSlice()).isEmpty()) {
            link.onCompleted();
            return;
        }
        asking.put(link, ask);
        answer(link, ask);
    }

    private void answer(StreamObserver<WorkerWelcome> link, WorkerAsk ask) {
        var process = ProcessHandle.of(ask.getPid());
        var found = slice(ask.getSession(), ask.getSlice());
        if (found.isEmpty() || process.isEmpty() || !asking.containsKey(link)) {
            return;
        }
        var slice = found.get();
        if (!slice.running() && slice.allEnded()) {
            keeper.expect(slice);
            slice.lease().push(Optional.empty());
        }
        var free =
                slice.hosts().stream()
                        .filter(_ -> slice.starting())
                        .filter(host -> host.index() == ask.getHost() && !host.isTaken())
                        .findFirst();
        if (free.isPresent()) {
            asking.remove(link);
            keeper.adopt(free.get(), process.get(), link);
        }
    }

    /// A process ended before it was told what to do.
    void leftUnanswered(StreamObserver<WorkerWelcome> link) {
        asking.remove(link);
    }

    private Optional<SliceGroup> slice(String session, int index) {
        return Optional.ofNullable(expected.get(session))
                .flatMap(lease -> lease.slices().stream().filter(s -> s.id() == index).findFirst());
    }
}
