package org.meshbook.elastic.controller;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostCallFailed;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.slices.hosts.HostParts;
import org.meshbook.elastic.slices.hosts.HostResults;
import org.meshbook.elastic.worker.calls.Functions;

@Timeout(60)
class HostFunctionTest {
    private static final ArrayType ROWS = ArrayType.of(DType.F32, 8, 3);

    private LocalWorkers workers;
    private MeshRuntime runtime;
    private Mesh mesh;

    @BeforeEach
    void start() {
        workers = LocalWorkers.of(2, 2, 2, "reference");
        runtime = new MeshRuntime(workers);
        mesh = Mesh.of(runtime.devices(), new Axis("replica", 2), new Axis("model", 4));
    }

    @AfterEach
    void close() {
        runtime.close();
        workers.close();
    }

    private static HostArray rows() {
        var array = HostArray.zeros(ROWS);
        var floats = array.bytes().asFloatBuffer();
        IntStream.range(0, 24).forEach(i -> floats.put(i, i));
        return array;
    }

    static final class Describe implements HostFunction {
        @Override
        public byte[] call(Host host, byte[] arguments) {
            var text = new StringBuilder(new String(arguments, UTF_8) + " " + host.name() + ":");
            for (var shard : host.arrays().getFirst()) {
                text.append(" rows ")
                        .append(shard.region().start().getFirst())
                        .append("+")
                        .append(shard.region().size().getFirst())
                        .append(" begin with ")
                        .append((int) shard.data().get(0));
            }
            return text.toString().getBytes(UTF_8);
        }
    }

    @Test
    void aFunctionRunsOnEveryHostWithItsShards() throws InterruptedException {
        var array = runtime.put(rows(), mesh.sharding("model"));
        var call =
                HostCall.of(Describe.class, mesh)
                        .with(List.of(array))
                        .arguments("x".getBytes(UTF_8));
        var texts = runtime.onHosts(call).values().stream().map(b -> new String(b, UTF_8));
        assertThat(texts)
                .containsExactly(
                        "x slice 0 host 0: rows 0+2 begin with 0 rows 2+2 begin with 6",
                        "x slice 0 host 1: rows 4+2 begin with 12 rows 6+2 begin with 18",
                        "x slice 1 host 0: rows 0+2 begin with 0 rows 2+2 begin with 6",
                        "x slice 1 host 1: rows 4+2 begin with 12 rows 6+2 begin with 18");
    }

    static final class Fill implements HostFunction {
        @Override
        public byte[] call(Host host, byte[] arguments) {
            for (var shard : host.outputs().getFirst()) {
                var floats = shard.data().bytes().asFloatBuffer();
                int first = shard.region().start().getFirst() * 3;
                IntStream.range(0, floats.limit()).forEach(i -> floats.put(i, first + i));
            }
            return new byte[0];
        }
    }

    @Test
    void aFunctionMakesArraysThatTheNextStepUses() {
        var call =
                HostCall.of(Fill.class, mesh)
                        .making(List.of(new HostCall.Output(ROWS, mesh.sharding("model"))));
        var made = runtime.onHosts(call).arrays().getFirst();
        assertThat(made.toHost()).isEqualTo(rows());
        assertThat(made.add(made).toHost().floats()[23]).isEqualTo(46);
    }

    static final class Counter implements HostFunction {
        private int calls;

        @Override
        public byte[] call(Host host, byte[] arguments) {
            return ByteBuffer.allocate(4).putInt(++calls).array();
        }
    }

    @Test
    void callsOfOneThreadRunInOrderAndKeepTheirObject() throws InterruptedException {
        var calls = new ArrayList<HostResults>();
        for (int i = 0; i < 50; i++) {
            calls.add(runtime.onHosts(HostCall.of(Counter.class, mesh)));
        }
        for (int i = 0; i < 50; i++) {
            for (var value : calls.get(i).values()) {
                assertThat(ByteBuffer.wrap(value).getInt()).isEqualTo(i + 1);
            }
        }
    }

    private static final CountDownLatch MEET = new CountDownLatch(2);

    static final class MeetOther implements HostFunction {
        @Override
        public byte[] call(Host host, byte[] arguments) throws InterruptedException {
            MEET.countDown();
            MEET.await();
            return arguments;
        }
    }

    @Test
    void callsOfDifferentLanesRunBesideEachOther() throws InterruptedException {
        var one = HostCall.of(MeetOther.class, runtime.devices().subList(0, 1));
        var first = runtime.onHosts(one.lane("a"));
        var second = runtime.onHosts(one.lane("b"));
        assertThat(first.await(Duration.ofSeconds(30))).isTrue();
        assertThat(second.await(Duration.ofSeconds(30))).isTrue();
    }

    static final class FailOnHostOne implements HostFunction {
        @Override
        public byte[] call(Host host, byte[] arguments) throws IOException {
            if (host.slice() == 1 && host.host() == 1) {
                throw new FileSystemException("/ram", null, "No space left on device");
            }
            return arguments;
        }
    }

    @Test
    void anErrorIsOneLineWithHostAndCause() throws InterruptedException {
        var results = runtime.onHosts(HostCall.of(FailOnHostOne.class, mesh));
        assertThatThrownBy(results::values)
                .isInstanceOf(HostCallFailed.class)
                .hasMessageContaining("FailOnHostOne' on slice 1 host 1 failed")
                .hasMessageContaining("No space left on device")
                .message()
                .doesNotContain("\n");
        assertThat(results.outcomes()).filteredOn(each -> each.failure().isEmpty()).hasSize(3);
    }

    @Test
    void anArrayOfAFunctionThatFailedTellsWhy() {
        var call =
                HostCall.of(FailOnHostOne.class, mesh)
                        .making(List.of(new HostCall.Output(ROWS, mesh.sharding("model"))));
        var made = runtime.onHosts(call).arrays().getFirst();
        assertThatThrownBy(() -> runtime.awaitReady(List.of(made), Duration.ofSeconds(30)))
                .hasMessageContaining("slice 1 host 1 failed");
    }

    @Test
    void aLostSliceIsALossAndTheOthersAnswer() throws InterruptedException {
        workers.lose(1);
        var results = runtime.onHosts(HostCall.of(Counter.class, mesh));
        assertThat(results.outcomes())
                .filteredOn(each -> each.slice() == 1)
                .allSatisfy(each -> assertThat(each.failure()).containsInstanceOf(SliceLost.class));
        assertThat(results.outcomes())
                .filteredOn(each -> each.slice() == 0)
                .allSatisfy(each -> assertThat(each.failure()).isEmpty());
    }

    @Test
    void aClassThatWorkersDoNotHaveIsToldWithWhatToDo() {
        try (var functions = new Functions()) {
            assertThatThrownBy(() -> functions.of("no.such.Norm", Map.of()))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("'no.such.Norm' is not on the workers' class path")
                    .hasMessageContaining("declare it in a cell");
        }
    }

    /// Used by [Shipped] only, so that it must travel along.
    static final class Friend {
        private Friend() {}

        static byte[] word() {
            return "from a cell".getBytes(UTF_8);
        }
    }

    static final class Shipped implements HostFunction {
        @Override
        public byte[] call(Host host, byte[] arguments) {
            return Friend.word();
        }
    }

    /// Names classes as no class path does, as the loader of a notebook's cells.
    private static final class Cells extends ClassLoader {
        private final ClassLoader home = HostFunctionTest.class.getClassLoader();

        Cells() {
            super(HostFunction.class.getClassLoader());
        }

        private static String original(String name) {
            return name.replace("ReplFunction", "HostFunction");
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            var in = home.getResourceAsStream(original(name));
            try (in) {
                var text = new String(in.readAllBytes(), ISO_8859_1);
                var renamed = text.replace("HostFunctionTest", "ReplFunctionTest");
                return new ByteArrayInputStream(renamed.getBytes(ISO_8859_1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.contains("ReplFunction")) {
                throw new ClassNotFoundException(name);
            }
            try (var in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                var bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void aClassOfACellIsSentAlongWithWhatItUses() throws Exception {
        var name = Shipped.class.getName().replace("HostFunctionTest", "ReplFunctionTest");
        var type = new Cells().loadClass(name).asSubclass(HostFunction.class);
        var values = runtime.onHosts(HostCall.of(type, mesh)).values();
        assertThat(values)
                .hasSize(4)
                .allSatisfy(v -> assertThat(v).asString(UTF_8).isEqualTo("from a cell"));
    }

    @Test
    void aClassThatCannotBeMadeIsRefusedBeforeItTravels() {
        assertThatThrownBy(() -> HostCall.of(HostFunction.class, mesh))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("constructor without parameters");
    }

    @Test
    void partsOfHostsAreAssembledOntoAnyMesh() throws InterruptedException {
        var parts = new ArrayList<HostParts.Part>();
        for (int i = 0; i < 4; i++) {
            var region = new Region(List.of(2 * i, 0), List.of(2, 3));
            parts.add(new HostParts.Part(0, region, runtime.devices().get(i / 2 * 2)));
        }
        var target =
                Mesh.of(
                        runtime.devices().subList(4, 8),
                        new Axis("replica", 2),
                        new Axis("model", 2));
        var call = HostCall.of(Fill.class, runtime.devices().subList(0, 4));
        var made =
                runtime.assemble(
                        new HostParts(call, List.of(ROWS), parts),
                        List.of(target.sharding("model")));
        assertThat(made.getFirst().toHost()).isEqualTo(rows());
        assertThat(runtime.shardingOf(made.getFirst())).isEqualTo(target.sharding("model"));
    }
}
