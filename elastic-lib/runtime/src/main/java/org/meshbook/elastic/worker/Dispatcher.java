package org.meshbook.elastic.worker;

import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.store.Shard;
import org.meshbook.elastic.transport.Collectives;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;
import org.meshbook.elastic.transport.Gate;
import org.meshbook.elastic.transport.Peer;
import org.meshbook.elastic.wire.proto.Answer;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.CopyToHost;
import org.meshbook.elastic.wire.proto.Fetch;
import org.meshbook.elastic.wire.proto.HostRead;
import org.meshbook.elastic.wire.proto.Lost;
import org.meshbook.elastic.wire.proto.Move;
import org.meshbook.elastic.wire.proto.Probe;
import org.meshbook.elastic.wire.proto.Put;
import org.meshbook.elastic.wire.proto.PutChunk;
import org.meshbook.elastic.wire.proto.Roster;
import org.meshbook.elastic.wire.proto.Run;

/// The commands of one client's stream, in order: each becomes work for the devices it names.
/// Called on the stream's thread only; never waits, but for a network that is cut.
final class Dispatcher implements StreamObserver<Command> {
    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

    private final WorkerServer worker;
    private final Reports reports;
    private final Collectives collectives;
    private final Map<Long, Layout> layouts = new HashMap<>();
    private final Map<Long, Upload> uploads = new HashMap<>();
    private volatile boolean replaced;

    Dispatcher(WorkerServer worker, Reports reports) {
        this.worker = worker;
        this.reports = reports;
        this.collectives = new Collectives(worker.exchange());
    }

    @Override
    public void onNext(Command command) {
        if (replaced) {
            return;
        }
        Gate.ofProcess().pass();
        try {
            if (command.getFreeCount() > 0) {
                free(command.getFreeList());
            }
            handle(command);
        } catch (RuntimeException e) {
            // One damaged command must not end the stream and so the slice.
            LOG.log(System.Logger.Level.WARNING, "command " + command.getKindCase() + " failed", e);
            operation(command).ifPresent(op -> reports.done(op, Fault.of(e, "reading a command")));
        }
    }

    /// Another client has the session now; whatever this one still sends is too late.
    void replaced() {
        replaced = true;
        reports.complete();
    }

    private void handle(Command command) {
        switch (command.getKindCase()) {
            case HELLO -> worker.tenancy().begins(this, command.getHello().getFirstOp());
            case ROSTER -> roster(command.getRoster());
            case MESH -> layouts.put(command.getMesh().getId(), new Layout(command.getMesh()));
            case COMPILE ->
                    worker.programs()
                            .compile(
                                    command.getCompile().getFingerprint(),
                                    command.getCompile().getGraph(),
                                    reports);
            case RUN -> run(command.getRun());
            case PUT -> put(command.getPut());
            case CHUNK -> chunk(command.getChunk());
            case MOVE -> move(command.getMove());
            case FETCH -> fetch(command.getFetch());
            case COPY -> copy(command.getCopy());
            case READ -> read(command.getRead());
            case RELEASE -> {
                long copy = command.getRelease().getCopy();
                worker.hostThread().add(() -> worker.copies().release(copy));
            }
            case PROBE -> probe(command.getProbe());
            case LOST -> lost(command.getLost());
            case CALL -> new HostCalls(worker, reports).start(command.getCall());
            case SUSPEND -> worker.suspend();
            case PUBLISHED -> worker.tenancy().publish(command.getPublished());
            case KIND_NOT_SET -> {
                // A command that only frees arrays.
            }
        }
    }

    static Optional<Long> operation(Command command) {
        return switch (command.getKindCase()) {
            case RUN -> Optional.of(command.getRun().getOp());
            case PUT -> Optional.of(command.getPut().getOp());
            case CHUNK -> Optional.of(command.getChunk().getOp());
            case MOVE -> Optional.of(command.getMove().getOp());
            case COPY -> Optional.of(command.getCopy().getOp());
            case CALL -> Optional.of(command.getCall().getOp());
            default -> Optional.empty();
        };
    }

    private void free(List<Long> arrays) {
        var ids = List.copyOf(arrays);
        // A put that was interrupted half-way; its client waits no more.
        for (var upload : List.copyOf(uploads.values())) {
            if (ids.contains(upload.put().getArray())) {
                uploads.remove(upload.put().getOp());
                reports.done(upload.put().getOp());
            }
        }
        for (var device : worker.devices()) {
            device.thread().add(() -> device.store().free(ids));
        }
    }

    private void roster(Roster roster) {
        var peers = new ArrayList<Peer>();
        for (var peer : roster.getPeersList()) {
            peers.add(
                    new Peer(
                            peer.getSlice(),
                            peer.getGeneration(),
                            peer.getHost(),
                            peer.getFirstDevice(),
                            peer.getDevices(),
                            peer.getAddress(),
                            peer.getBulkPort()));
        }
        worker.exchange().roster(peers);
    }

    private void lost(Lost lost) {
        worker.exchange()
                .lose(lost.getSlice(), lost.getGeneration(), lost.getBeforeOp(), lost.getCause());
    }

    private void run(Run run) {
        var layout = layouts.get(run.getMesh());
        if (layout == null) {
            throw new UsageError("mesh %d was never defined here", run.getMesh());
        }
        var devices =
                worker.devices().stream()
                        .filter(device -> layout.devices().contains(device.id()))
                        .toList();
        var completion = completion(run.getOp(), devices.size());
        for (var device : devices) {
            var work = new ProgramRun(run, device.id(), layout, device.store(), collectives);
            onDevice(device, run.getOp(), completion, () -> work.execute(worker.programs()));
        }
    }

    private void put(Put put) {
        worker.exchange().sees(put.getOp());
        var upload = new Upload(put, worker.name());
        if (upload.complete()) {
            place(upload);
        } else {
            uploads.put(put.getOp(), upload);
        }
    }

    private void chunk(PutChunk chunk) {
        var upload = uploads.get(chunk.getOp());
        if (upload == null) {
            throw new UsageError("a chunk of put %d comes unannounced", chunk.getOp());
        }
        upload.take(chunk);
        if (upload.complete()) {
            uploads.remove(chunk.getOp());
            place(upload);
        }
    }

    private void place(Upload upload) {
        var put = upload.put();
        int count = put.getShardsList().stream().mapToInt(s -> s.getDevicesCount()).sum();
        var completion = completion(put.getOp(), count);
        for (int i = 0; i < put.getShardsCount(); i++) {
            var shard = upload.shard(i);
            for (int id : put.getShards(i).getDevicesList()) {
                var device = worker.device(id);
                onDevice(
                        device,
                        put.getOp(),
                        completion,
                        () -> {
                            device.store().put(put.getArray(), shard);
                            return shard instanceof Shard.Poisoned(var fault)
                                    ? Optional.of(fault)
                                    : Optional.empty();
                        });
            }
        }
    }

    private void move(Move move) {
        var mover = new Mover(move, worker.exchange(), worker.copies());
        var devices = mover.devices();
        var completion =
                completion(move.getOp(), devices.size() + (mover.readsHostCopies() ? 1 : 0));
        if (mover.readsHostCopies()) {
            worker.hostThread()
                    .add(
                            () -> {
                                mover.sendHostCopies();
                                completion.done();
                            });
        }
        for (int id : devices) {
            var device = worker.device(id);
            onDevice(device, move.getOp(), completion, () -> mover.onDevice(device));
        }
    }

    private void fetch(Fetch fetch) {
        var device = worker.device(fetch.getDevice());
        device.thread()
                .add(
                        () -> {
                            try {
                                var value = device.store().get(fetch.getArray()).value();
                                reports.fetched(fetch.getRequest(), value);
                            } catch (FaultException e) {
                                reports.fetchFailed(fetch.getRequest(), e.fault());
                            }
                        });
    }

    /// The device only hands over its shard, which nothing changes; the host thread copies it.
    private void copy(CopyToHost copy) {
        var completion = completion(copy.getOp(), copy.getShardsCount());
        for (var shard : copy.getShardsList()) {
            var device = worker.device(shard.getDevice());
            device.thread()
                    .add(
                            () -> {
                                var held = device.store().get(shard.getArray());
                                worker.exchange().finish(device.id(), copy.getOp());
                                worker.hostThread()
                                        .add(
                                                () ->
                                                        keep(
                                                                copy.getCopy(),
                                                                shard.getShard(),
                                                                held,
                                                                completion));
                            });
        }
    }

    private void keep(long copy, int number, Shard shard, Completion completion) {
        try {
            worker.copies().keep(copy, number, shard.value());
            completion.done();
        } catch (FaultException e) {
            completion.failed(e.fault());
        } catch (OutOfMemoryError e) {
            var type = ((Shard.Value) shard).value().type();
            var what = "a host copy of " + type + " (" + type.bytes() + " bytes)";
            completion.failed(Fault.of(e, what));
        }
    }

    private void read(HostRead read) {
        worker.hostThread()
                .add(
                        () -> {
                            var answer = Answer.newBuilder().setRequest(read.getRequest());
                            try {
                                reports.answer(
                                        answer.setBytes(worker.copies().verify(read.getCopy())));
                            } catch (FaultException e) {
                                reports.answer(answer, e.fault());
                            }
                        });
    }

    /// Probes do not queue behind the devices' work: a long step is no hang.
    private void probe(Probe probe) {
        worker.probeThread()
                .add(
                        () -> {
                            var answer = Answer.newBuilder().setRequest(probe.getRequest());
                            try {
                                for (int i = 0; i < worker.devices().size(); i++) {
                                    answer.addValues(worker.probing().value());
                                }
                                reports.answer(answer);
                            } catch (FaultException e) {
                                reports.answer(answer, e.fault());
                            }
                        });
    }

    private interface DeviceWork {
        Optional<Fault> run() throws InterruptedException;
    }

    private Completion completion(long op, int devices) {
        worker.exchange().sees(op);
        if (devices == 0) {
            reports.done(op);
        }
        return new Completion(devices, fault -> reports.done(op, fault));
    }

    private void onDevice(LocalDevice device, long op, Completion completion, DeviceWork work) {
        device.thread()
                .add(
                        () -> {
                            Optional<Fault> fault;
                            try {
                                fault = work.run();
                            } catch (RuntimeException | Error e) {
                                fault =
                                        Optional.of(
                                                Fault.of(e, "operation on device " + device.id()));
                            }
                            worker.exchange().finish(device.id(), op);
                            fault.ifPresentOrElse(completion::failed, completion::done);
                        });
    }

    @Override
    public void onError(Throwable failure) {
        LOG.log(System.Logger.Level.DEBUG, "client left: " + failure.getMessage());
        reports.close();
    }

    @Override
    public void onCompleted() {
        reports.complete();
    }
}
