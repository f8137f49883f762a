package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.CopyToHost;
import org.meshbook.elastic.wire.proto.HostShard;

/// What may come between the commands of one operation.
@Timeout(60)
class DispatchTest {
    private final LocalWorkers workers = LocalWorkers.of(3, 1);
    private MeshRuntime runtime;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
    }

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    @Test
    void arrayFreedWhileItsOperationIsSentIsStillThereForTheLastWorker() {
        var mesh = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
        var array = (PlacedArray) runtime.put(Array.normal(1, 4, 4), mesh.replicated());
        var read = reads(array, () -> array.state().free("in the middle"));
        assertThat(read.fault()).isEmpty();
        // It is freed before the next operation.
        var after = reads(array, () -> {});
        assertThat(after.fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("holds nothing"));
    }

    /// An operation that reads an array on every worker.
    ///
    /// @param afterEach done once one worker was told
    private Operations.Pending reads(PlacedArray array, Runnable afterEach) {
        var links = runtime.fleet().links(array.sharding().mesh());
        long copy = runtime.operations().newId();
        var operation =
                runtime.operations()
                        .dispatch(
                                false,
                                List.of(),
                                () -> links,
                                op ->
                                        links.forEach(
                                                link -> {
                                                    link.send(command(op, copy, link, array));
                                                    afterEach.run();
                                                }));
        Awaitility.await().atMost(Duration.ofSeconds(50)).until(operation::done);
        return operation;
    }

    private static Command.Builder command(long op, long copy, WorkerLink link, PlacedArray array) {
        var shard =
                HostShard.newBuilder().setDevice(link.firstDevice()).setArray(array.state().id());
        return Command.newBuilder()
                .setCopy(CopyToHost.newBuilder().setOp(op).setCopy(copy).addShards(shard));
    }
}
