package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// A person presses stop, or the slices are released.
@Timeout(60)
class StopTest {
    @Test
    void stoppedPutLeavesTheMeshUsable() throws InterruptedException {
        try (var workers = LocalWorkers.of(2, 1);
                var runtime = new MeshRuntime(workers)) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
            var thrown = new AtomicReference<RuntimeException>();
            var putting =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        Thread.currentThread().interrupt();
                                        try {
                                            runtime.put(Array.zeros(2 << 20), mesh.replicated());
                                        } catch (RuntimeException e) {
                                            thrown.set(e);
                                        }
                                    });
            putting.join();
            assertThat(thrown.get()).isInstanceOf(Interrupted.class);
            var value = Array.normal(1, 4);
            assertThat(runtime.put(value, mesh.replicated()).toHost().bytes())
                    .isEqualTo(value.bytes());
        }
    }

    @Test
    void stoppedReadThrowsAndKeepsTheFlag() throws InterruptedException {
        try (var workers = LocalWorkers.of(1, 1);
                var runtime = new MeshRuntime(workers)) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0), "replica", "model");
            var array = runtime.put(Array.normal(1, 4), mesh.replicated());
            var flag = new AtomicReference<Boolean>();
            var reading =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        Thread.currentThread().interrupt();
                                        try {
                                            array.toHost();
                                        } catch (Interrupted e) {
                                            flag.set(Thread.currentThread().isInterrupted());
                                        }
                                    });
            reading.join();
            assertThat(flag.get()).isIn(true, null);
            assertThat(array.toHost().type()).isEqualTo(array.type());
        }
    }

    @Test
    void arraysOfReleasedSlicesSayWhatToDo() {
        try (var workers = LocalWorkers.of(1, 1)) {
            Array array;
            try (var runtime = new MeshRuntime(workers)) {
                var mesh = LocalWorkers.mesh(runtime, List.of(0), "replica", "model");
                array = runtime.put(Array.normal(1, 4), mesh.replicated());
            }
            assertThatThrownBy(array::toHost)
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("released; provision some again");
            // A client that comes later goes on with the same workers.
            try (var runtime = new MeshRuntime(workers)) {
                var mesh = LocalWorkers.mesh(runtime, List.of(0), "replica", "model");
                assertThat(runtime.put(Array.scalar(2f), mesh.replicated()).item()).isEqualTo(2);
            }
        }
    }
}
