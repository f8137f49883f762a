package org.meshbook.elastic.worker;

import io.grpc.stub.StreamObserver;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Fetch;

/// An observer's stream: it fetches what is published. Everything else is refused in the answer
/// where there is one, and done in no case. Called on the stream's thread only; never waits.
final class Watcher implements StreamObserver<Command> {
    private static final System.Logger LOG = System.getLogger(Watcher.class.getName());

    private final WorkerServer worker;
    private final Reports reports;

    Watcher(WorkerServer worker, Reports reports) {
        this.worker = worker;
        this.reports = reports;
    }

    @Override
    public void onNext(Command command) {
        if (command.getKindCase() == Command.KindCase.FETCH) {
            fetch(command.getFetch());
            return;
        }
        LOG.log(System.Logger.Level.WARNING, "refused to an observer: " + command.getKindCase());
        Dispatcher.operation(command)
                .ifPresent(
                        op ->
                                reports.done(
                                        op,
                                        Fault.usage(
                                                "an observer can only look and fetch; '"
                                                        + command.getKindCase()
                                                        + "' is refused")));
    }

    private void fetch(Fetch fetch) {
        if (!worker.tenancy().isPublished(fetch.getArray())) {
            reports.fetchFailed(
                    fetch.getRequest(),
                    Fault.usage("an observer can fetch published arrays only, and this is none"));
            return;
        }
        try {
            var device = worker.device(fetch.getDevice());
            device.thread()
                    .add(
                            () -> {
                                try {
                                    reports.fetched(
                                            fetch.getRequest(),
                                            device.store().get(fetch.getArray()).value());
                                } catch (FaultException e) {
                                    reports.fetchFailed(fetch.getRequest(), e.fault());
                                }
                            });
        } catch (RuntimeException e) {
            reports.fetchFailed(fetch.getRequest(), Fault.of(e, "a fetch"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        reports.close();
    }

    @Override
    public void onCompleted() {
        reports.complete();
    }
}
