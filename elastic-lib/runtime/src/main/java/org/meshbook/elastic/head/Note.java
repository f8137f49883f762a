package org.meshbook.elastic.head;

import io.grpc.stub.StreamObserver;
import java.util.List;
import org.meshbook.elastic.slices.supply.Standing;
import org.meshbook.elastic.wire.proto.EventsReply;
import org.meshbook.elastic.wire.proto.EventsRequest;
import org.meshbook.elastic.wire.proto.GuestReply;
import org.meshbook.elastic.wire.proto.GuestRequest;
import org.meshbook.elastic.wire.proto.KeepReply;
import org.meshbook.elastic.wire.proto.KeepRequest;
import org.meshbook.elastic.wire.proto.ProvisionSlices;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.StatusReply;
import org.meshbook.elastic.wire.proto.StopReply;
import org.meshbook.elastic.wire.proto.WorkerReport;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// What other threads tell the head's one thread; that thread alone touches the head's state.
sealed interface Note {
    /// What is about workers and slices.
    sealed interface OfWorker extends Note {}

    /// A client's message.
    record Asked(ClientLink link, SessionRequest request) implements Note {}

    /// A client's stream ended.
    record Dropped(ClientLink link) implements Note {}

    /// The grace period of a session ended, unless somebody attached since.
    record GraceOver(Lease lease, int drop) implements Note {}

    /// A worker's message.
    record Reported(StreamObserver<WorkerWelcome> link, WorkerReport report) implements OfWorker {}

    /// A worker's stream ended.
    record LinkEnded(StreamObserver<WorkerWelcome> link) implements OfWorker {}

    /// A worker's stream ended a moment ago; its process should have ended by now, too.
    record LinkLost(HostProcess host) implements OfWorker {}

    /// A worker's process was started.
    record Started(HostProcess host, ProcessHandle process) implements OfWorker {}

    /// A worker's process could not be started.
    record StartFailed(HostProcess host, String cause) implements OfWorker {}

    /// A worker's process ended.
    ///
    /// @param code as a shell would say it: 128 and the number, if a signal ended it
    /// @param words the last line of its log
    record Exited(HostProcess host, long pid, int code, String words) implements OfWorker {}

    /// A worker should have been heard of by now.
    record BeatDue(HostProcess host, long dueNanos) implements OfWorker {}

    /// Processes of a slice should be healthy by now, if they still are its processes.
    record HealthyDue(SliceGroup slice, List<HostProcess> hosts) implements OfWorker {}

    /// A lost or suspended slice may start again, unless it has since these were its processes.
    record RestartDue(SliceGroup slice, List<HostProcess> hosts) implements OfWorker {}

    /// What is left of a lost slice, whose place a spare took, may become a spare.
    record SpareDue(Lease lease, ProvisionSlices allocation) implements OfWorker {}

    /// A process that announced its end should have ended by now.
    record EndDue(HostProcess host) implements OfWorker {}

    /// The head had no session for a while, unless one was opened since.
    record IdleDue(int turn) implements Note {}

    /// The head must end now, whether all its workers are gone or not.
    record StopDue() implements Note {}

    /// Somebody asks for the status.
    record StatusAsked(StreamObserver<StatusReply> answer) implements Note {}

    /// Somebody asks for the event log.
    record EventsAsked(EventsRequest request, StreamObserver<EventsReply> answer) implements Note {}

    /// Somebody asks for a guest.
    record GuestAsked(GuestRequest request, StreamObserver<GuestReply> answer) implements Note {}

    /// A supply looked at what a client asked for.
    ///
    /// @param number of the client's request
    /// @param what with what the slices will have
    /// @param refusal empty if it may be asked for
    record Settled(ClientLink link, long number, Lease lease, ProvisionSlices what, String refusal)
            implements Note {}

    /// Nothing of a session is left in a queue.
    ///
    /// @param number of the client's request
    record Released(ClientLink link, long number) implements Note {}

    /// A slice stands differently with its supply.
    record Stood(Standing standing) implements OfWorker {}

    /// Somebody asks the head to stay.
    record KeepAsked(KeepRequest request, StreamObserver<KeepReply> answer) implements Note {}

    /// Somebody asks the head to end.
    record StopAsked(StreamObserver<StopReply> answer) implements Note {}
}
