package org.meshbook.elastic.wire;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import org.meshbook.elastic.wire.proto.EventsReply;
import org.meshbook.elastic.wire.proto.EventsRequest;
import org.meshbook.elastic.wire.proto.GuestReply;
import org.meshbook.elastic.wire.proto.GuestRequest;
import org.meshbook.elastic.wire.proto.KeepReply;
import org.meshbook.elastic.wire.proto.KeepRequest;
import org.meshbook.elastic.wire.proto.SessionReply;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.StatusReply;
import org.meshbook.elastic.wire.proto.StatusRequest;
import org.meshbook.elastic.wire.proto.StopReply;
import org.meshbook.elastic.wire.proto.StopRequest;
import org.meshbook.elastic.wire.proto.WorkerReport;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// The methods of the head's gRPC service; `head.proto` says what they mean.
public final class HeadMethods {
    /// Name of the service.
    public static final String SERVICE = "meshbook.v1.Head";

    /// What both sides must agree on; grows when a message changes its meaning.
    public static final String PROTOCOL = "1";

    /// A client's session.
    public static final MethodDescriptor<SessionRequest, SessionReply> SESSION =
            method(
                    MethodType.BIDI_STREAMING,
                    "Session",
                    SessionRequest.getDefaultInstance(),
                    SessionReply.getDefaultInstance());

    /// An observer's view of a session; who calls shows a token in the first message.
    public static final MethodDescriptor<SessionRequest, SessionReply> OBSERVE =
            method(
                    MethodType.BIDI_STREAMING,
                    "Observe",
                    SessionRequest.getDefaultInstance(),
                    SessionReply.getDefaultInstance());

    /// A worker's registration and heartbeats.
    public static final MethodDescriptor<WorkerReport, WorkerWelcome> ENROLL =
            method(
                    MethodType.BIDI_STREAMING,
                    "Enroll",
                    WorkerReport.getDefaultInstance(),
                    WorkerWelcome.getDefaultInstance());

    /// Most bytes of one message: what is published under a name is the largest.
    public static final int MESSAGE_BYTES = 32 << 20;

    /// All sessions and slices.
    public static final MethodDescriptor<StatusRequest, StatusReply> STATUS =
            method(
                    MethodType.UNARY,
                    "Status",
                    StatusRequest.getDefaultInstance(),
                    StatusReply.getDefaultInstance());

    /// The tail of the event log.
    public static final MethodDescriptor<EventsRequest, EventsReply> EVENTS =
            method(
                    MethodType.UNARY,
                    "Events",
                    EventsRequest.getDefaultInstance(),
                    EventsReply.getDefaultInstance());

    /// Makes the head outlive its sessions.
    public static final MethodDescriptor<KeepRequest, KeepReply> KEEP =
            method(
                    MethodType.UNARY,
                    "Keep",
                    KeepRequest.getDefaultInstance(),
                    KeepReply.getDefaultInstance());

    /// Starts what lives in the head beside the slices.
    public static final MethodDescriptor<GuestRequest, GuestReply> GUEST =
            method(
                    MethodType.UNARY,
                    "Guest",
                    GuestRequest.getDefaultInstance(),
                    GuestReply.getDefaultInstance());

    /// Ends all workers, then the head.
    public static final MethodDescriptor<StopRequest, StopReply> STOP =
            method(
                    MethodType.UNARY,
                    "Stop",
                    StopRequest.getDefaultInstance(),
                    StopReply.getDefaultInstance());

    private HeadMethods() {}

    private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
            MethodType type, String name, Q request, A reply) {
        return MethodDescriptor.newBuilder(
                        ProtoUtils.marshaller(request), ProtoUtils.marshaller(reply))
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .build();
    }
}
