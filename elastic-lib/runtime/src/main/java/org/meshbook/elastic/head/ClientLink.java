package org.meshbook.elastic.head;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Collection;
import org.meshbook.elastic.wire.proto.MembershipUpdate;
import org.meshbook.elastic.wire.proto.NamedProto;
import org.meshbook.elastic.wire.proto.SessionDone;
import org.meshbook.elastic.wire.proto.SessionOpened;
import org.meshbook.elastic.wire.proto.SessionReply;

/// The way back to one client; used on the head's thread only.
///
/// @param observing whether it came as an observer, who can only look
record ClientLink(StreamObserver<SessionReply> replies, boolean observing) {
    void opened(SessionOpened opened) {
        replies.onNext(SessionReply.newBuilder().setOpened(opened).build());
    }

    void done(long number, String refusal) {
        var done = SessionDone.newBuilder().setNumber(number).setRefusal(refusal);
        replies.onNext(SessionReply.newBuilder().setDone(done).build());
    }

    void names(long number, Collection<NamedProto> names) {
        var done = SessionDone.newBuilder().setNumber(number).addAllNames(names);
        replies.onNext(SessionReply.newBuilder().setDone(done).build());
    }

    void membership(MembershipUpdate update) {
        replies.onNext(SessionReply.newBuilder().setMembership(update).build());
    }

    /// Sends the client away, to another head.
    void unavailable() {
        replies.onError(Status.UNAVAILABLE.asRuntimeException());
    }

    void end() {
        replies.onCompleted();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
