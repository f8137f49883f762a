package org.meshbook.elastic.worker;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.slices.hosts.HostShard;
import org.meshbook.elastic.store.Shard;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Answer;
import org.meshbook.elastic.wire.proto.Box;
import org.meshbook.elastic.wire.proto.CallOutput;
import org.meshbook.elastic.wire.proto.HostCallProto;
import org.meshbook.elastic.worker.calls.HostWork;

/// Turns a call of a host function into work for devices and a lane. On the stream's thread; never
/// waits.
final class HostCalls {
    private final WorkerServer worker;
    private final Reports reports;

    HostCalls(WorkerServer worker, Reports reports) {
        this.worker = worker;
        this.reports = reports;
    }

    void start(HostCallProto call) {
        worker.exchange().sees(call.getOp());
        var work =
                new HostWork(
                        call.getFunction(),
                        worker.config().slice(),
                        worker.config().host(),
                        call.getArrays(),
                        call.getInputsCount());
        var receivers = new TreeSet<Integer>();
        call.getMadeList().forEach(made -> receivers.addAll(made.getDevicesList()));
        var completion =
                new Completion(1 + receivers.size(), fault -> reports.done(call.getOp(), fault));
        // 1. devices hand over what the function reads
        for (var input : call.getInputsList()) {
            var device = worker.device(input.getDevice());
            device.thread()
                    .add(
                            () -> {
                                work.input(
                                        input.getIndex(),
                                        region(input.getBox()),
                                        device.store().get(input.getArray()));
                                worker.exchange().finish(device.id(), call.getOp());
                            });
        }
        // 2. it runs when its lane gets there
        worker.lanes().add(call.getLane(), () -> run(call, work, completion));
        // 3. devices wait for what it makes
        for (int id : receivers) {
            var device = worker.device(id);
            device.thread()
                    .add(
                            () -> {
                                var fault = receive(call, work, device);
                                worker.exchange().finish(id, call.getOp());
                                fault.ifPresentOrElse(completion::failed, completion::done);
                            });
        }
    }

    private void run(HostCallProto call, HostWork work, Completion completion) {
        var answer = Answer.newBuilder().setRequest(call.getRequest());
        try {
            var result =
                    work.run(
                            () -> worker.functions().of(call.getFunction(), classes(call)),
                            call.getArguments().toByteArray(),
                            () -> makeRoom(call, work),
                            bytes -> reports.progress(call.getRequest(), bytes));
            reports.answer(answer.setResult(ByteString.copyFrom(result)));
            completion.done();
        } catch (FaultException e) {
            reports.answer(answer, e.fault());
            completion.failed(e.fault());
        }
    }

    private static Map<String, byte[]> classes(HostCallProto call) {
        var classes = new HashMap<String, byte[]>();
        call.getClassesList()
                .forEach(each -> classes.put(each.getName(), each.getBytes().toByteArray()));
        return classes;
    }

    private void makeRoom(HostCallProto call, HostWork work) {
        for (int i = 0; i < call.getOutputs(); i++) {
            for (var made : call.getMadeList()) {
                if (made.getIndex() == i) {
                    var region = region(made.getBox());
                    var type = new ArrayType(ArrayCodec.dtype(made.getDtype()), region.shape());
                    work.output(i, new HostShard(region, room(call, made, type)));
                }
            }
        }
    }

    private HostArray room(HostCallProto call, CallOutput made, ArrayType type) {
        return call.getCopy() == 0
                ? HostArray.zeros(type)
                : worker.copies().room(call.getCopy(), made.getHostShard(), type);
    }

    private static Optional<Fault> receive(HostCallProto call, HostWork work, LocalDevice device)
            throws InterruptedException {
        Optional<Fault> fault = Optional.empty();
        for (var made : call.getMadeList()) {
            if (made.getDevicesList().contains(device.id())) {
                var shard = work.made(made.getIndex(), region(made.getBox()));
                device.store().put(made.getArray(), shard);
                if (shard instanceof Shard.Poisoned(var why)) {
                    fault = Optional.of(why);
                }
            }
        }
        return fault;
    }

    private static Region region(Box box) {
        return new Region(box.getStartList(), box.getSizeList());
    }
}
