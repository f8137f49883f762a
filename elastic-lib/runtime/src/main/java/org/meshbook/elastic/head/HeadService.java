package org.meshbook.elastic.head;

import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.proto.SessionReply;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.WorkerReport;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// Turns what arrives by gRPC into notes; never blocks.
final class HeadService {
    private final Consumer<Note> head;

    private HeadService(Consumer<Note> head) {
        this.head = head;
    }

    static ServerServiceDefinition of(Consumer<Note> head) {
        var service = new HeadService(head);
        return ServerServiceDefinition.builder(HeadMethods.SERVICE)
                .addMethod(
                        HeadMethods.SESSION,
                        ServerCalls.asyncBidiStreamingCall(
                                replies -> service.session(replies, false)))
                .addMethod(
                        HeadMethods.OBSERVE,
                        ServerCalls.asyncBidiStreamingCall(
                                replies -> service.session(replies, true)))
                .addMethod(HeadMethods.ENROLL, ServerCalls.asyncBidiStreamingCall(service::enroll))
                .addMethod(
                        HeadMethods.STATUS,
                        ServerCalls.asyncUnaryCall(
                                (_, answer) -> head.accept(new Note.StatusAsked(answer))))
                .addMethod(
                        HeadMethods.EVENTS,
                        ServerCalls.asyncUnaryCall(
                                (ask, answer) -> head.accept(new Note.EventsAsked(ask, answer))))
                .addMethod(
                        HeadMethods.GUEST,
                        ServerCalls.asyncUnaryCall(
                                (ask, answer) -> head.accept(new Note.GuestAsked(ask, answer))))
                .addMethod(
                        HeadMethods.KEEP,
                        ServerCalls.asyncUnaryCall(
                                (ask, answer) -> head.accept(new Note.KeepAsked(ask, answer))))
                .addMethod(
                        HeadMethods.STOP,
                        ServerCalls.asyncUnaryCall(
                                (_, answer) -> head.accept(new Note.StopAsked(answer))))
                .build();
    }

    private StreamObserver<SessionRequest> session(
            StreamObserver<SessionReply> replies, boolean observing) {
        var link = new ClientLink(patient(replies), observing);
        return new Incoming<>(
                request -> head.accept(new Note.Asked(link, request)),
                () -> head.accept(new Note.Dropped(link)));
    }

    private StreamObserver<WorkerReport> enroll(StreamObserver<WorkerWelcome> replies) {
        var link = patient(replies);
        return new Incoming<>(
                report -> head.accept(new Note.Reported(link, report)),
                () -> head.accept(new Note.LinkEnded(link)));
    }

    /// Without a handler, a reply to somebody who is gone would throw.
    private static <A> StreamObserver<A> patient(StreamObserver<A> replies) {
        if (replies instanceof ServerCallStreamObserver<A> call) {
            call.setOnCancelHandler(() -> {});
        }
        return replies;
    }

    private record Incoming<Q>(Consumer<Q> onMessage, Runnable onEnd) implements StreamObserver<Q> {
        @Override
        public void onNext(Q message) {
            onMessage.accept(message);
        }

        @Override
        public void onError(Throwable failure) {
            onEnd.run();
        }

        @Override
        public void onCompleted() {
            onEnd.run();
        }
    }
}
