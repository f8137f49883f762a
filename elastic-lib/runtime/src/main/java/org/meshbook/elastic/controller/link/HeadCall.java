package org.meshbook.elastic.controller.link;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.TokenCheck;

/// Reaches a head: the channel, single calls, and what their failures mean to a person.
final class HeadCall {
    private HeadCall() {}

    static ManagedChannel channel(HeadFile head) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), head.port());
        return NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .directExecutor()
                .maxInboundMessageSize(HeadMethods.MESSAGE_BYTES)
                .intercept(TokenCheck.showing(head.token()))
                .build();
    }

    static <Q, A> A ask(HeadFile head, MethodDescriptor<Q, A> method, Q request, Duration within) {
        var channel = channel(head);
        try {
            var options =
                    CallOptions.DEFAULT.withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS);
            return ClientCalls.blockingUnaryCall(channel, method, options, request);
        } catch (StatusRuntimeException e) {
            throw failure(head, e.getStatus());
        } finally {
            channel.shutdownNow();
        }
    }

    static HeadUnavailable failure(HeadFile head, Status status) {
        return new HeadUnavailable(
                sentence(head, status),
                status.getCause(),
                status.getCode() == Status.Code.UNAVAILABLE);
    }

    static String sentence(HeadFile head, Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED ->
                    ("the head at port %d refused this token, which is another head's; start one"
                                    + " with meshbook head start")
                            .formatted(head.port());
            case UNAVAILABLE ->
                    "the head (pid %d) at port %d is gone; provision slices again, as in %%slices 4"
                            .formatted(head.pid(), head.port());
            case DEADLINE_EXCEEDED ->
                    ("the head (pid %d) does not answer; end it with meshbook head stop and try"
                                    + " again")
                            .formatted(head.pid());
            default ->
                    "the head (pid %d) failed with %s: %s; see its log"
                            .formatted(head.pid(), status.getCode(), status.getDescription());
        };
    }
}
