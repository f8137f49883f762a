package org.meshbook.elastic.wire;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Report;

/// The dispatch service of a worker: one bidirectional stream.
public final class WorkerMethods {
    /// Most bytes of one message; a larger program is refused by the client.
    public static final int MESSAGE_BYTES = 64 << 20;

    private static final String SERVICE = "meshbook.v1.Worker";

    /// Commands in, reports out, until either side closes.
    public static final MethodDescriptor<Command, Report> DISPATCH =
            MethodDescriptor.<Command, Report>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Dispatch"))
                    .setRequestMarshaller(ProtoUtils.marshaller(Command.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(Report.getDefaultInstance()))
                    .build();

    /// The same for an observer.
    public static final MethodDescriptor<Command, Report> OBSERVE =
            DISPATCH.toBuilder()
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Observe"))
                    .build();

    private WorkerMethods() {}

    /// @param dispatch called once a client's stream
    /// @param observe called once an observer's stream
    /// @return the service for a gRPC server
    public static ServerServiceDefinition service(
            ServerCalls.BidiStreamingMethod<Command, Report> dispatch,
            ServerCalls.BidiStreamingMethod<Command, Report> observe) {
        return ServerServiceDefinition.builder(SERVICE)
                .addMethod(DISPATCH, ServerCalls.asyncBidiStreamingCall(dispatch))
                .addMethod(OBSERVE, ServerCalls.asyncBidiStreamingCall(observe))
                .build();
    }

    /// @param method bare name of a method
    /// @return whether it is an observer's
    public static boolean isObserving(String method) {
        return method.equals("Observe");
    }
}
