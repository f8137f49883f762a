package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.slices.hosts.HostCallFailed;
import org.meshbook.elastic.slices.hosts.HostResult;
import org.meshbook.elastic.slices.hosts.HostResults;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.HostCallProto;

/// A call of a host function, as the client knows it.
final class RunningCall implements HostResults {
    private final MeshRuntime runtime;
    private final String function;
    private final List<Device> hosts;
    private final List<Array> arrays;
    private final Optional<Fault> fault;
    private final LossBook.Stamp stamp;
    private final Map<Integer, Answers.Question> asked = new ConcurrentHashMap<>();

    /// @param hosts first device of each worker, in order
    /// @param fault why it was not sent at all
    RunningCall(
            MeshRuntime runtime,
            String function,
            List<Device> hosts,
            List<Array> arrays,
            Optional<Fault> fault) {
        this.runtime = runtime;
        this.function = function;
        this.hosts = hosts;
        this.arrays = arrays;
        this.fault = fault;
        this.stamp = runtime.losses().stamp(hosts.stream().map(Device::slice).distinct().toList());
    }

    void ask(WorkerLink link, HostCallProto.Builder call) {
        asked.put(
                link.firstDevice(),
                runtime.answers()
                        .ask(
                                link,
                                number -> Command.newBuilder().setCall(call.setRequest(number))));
    }

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
        return runtime.progress()
                .await(timeout, () -> asked.values().stream().allMatch(Answers.Question::over));
    }

    @Override
    public List<HostResult> outcomes() throws InterruptedException {
        await(Progress.FOREVER);
        var outcomes = new ArrayList<HostResult>();
        for (var device : hosts) {
            outcomes.add(outcome(device, asked.get(device.id())));
        }
        return List.copyOf(outcomes);
    }

    private HostResult outcome(Device device, Answers.@Nullable Question question) {
        if (question == null) {
            var why = fault.orElseGet(() -> Fault.lost(device.slice(), "it is not reachable"));
            return failed(device, why);
        }
        var answer = question.answer();
        if (answer.isEmpty()) {
            return failed(device, Fault.lost(device.slice(), "its link closed"));
        }
        if (answer.get().hasFault()) {
            return failed(device, MeshRuntime.decode(answer.get().getFault()));
        }
        return new HostResult(
                device.slice(),
                device.host(),
                answer.get().getResult().toByteArray(),
                Optional.empty());
    }

    private HostResult failed(Device device, Fault why) {
        ElasticException failure =
                why.kind() == Fault.Kind.FAILED
                        ? new HostCallFailed(why.message())
                        : runtime.failures()
                                .of("the result of host function '" + function + "'", stamp, why);
        return new HostResult(device.slice(), device.host(), new byte[0], Optional.of(failure));
    }

    @Override
    public List<Array> arrays() {
        return arrays;
    }

    @Override
    public long progressBytes() {
        return asked.values().stream().mapToLong(Answers.Question::progressBytes).sum();
    }

    @Override
    public String toString() {
        var slices = Set.copyOf(hosts.stream().map(Device::slice).toList());
        return "call of '%s' on %d hosts of %d slices"
                .formatted(function, hosts.size(), slices.size());
    }
}
