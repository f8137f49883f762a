package org.meshbook.elastic.engine.xla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.array.DType.F32;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.engine.ExecutableContract;
import org.meshbook.elastic.engine.Given;

@WithPlugin
class XlaExecutableTest extends ExecutableContract {
    private static final int SIZE = 1024;
    private static final ArrayType TYPE = ArrayType.of(F32, SIZE);
    private static final Op ADD = new Op.Binary(BinaryKind.ADD);

    XlaExecutableTest() {
        super(new XlaEngine());
    }

    @Test
    void inputsAreReadWhereverTheyLie() {
        var memory = ByteBuffer.allocateDirect(4 * SIZE + 128).alignedSlice(64);
        var aligned = filled(memory.duplicate().slice(0, 4 * SIZE));
        var unaligned =
                filled(
                        ByteBuffer.allocateDirect(4 * SIZE + 128)
                                .alignedSlice(64)
                                .slice(4, 4 * SIZE));
        var heap = filled(ByteBuffer.allocate(4 * SIZE));
        var graph = Given.single(ADD, TYPE, List.of(TYPE, TYPE));
        try (var executable = new XlaEngine().compile(graph, 1)) {
            var wanted = executable.run(List.of(aligned, aligned));
            assertThat(wanted.getFirst().get(SIZE - 1)).isEqualTo(2.0 * (SIZE - 1));
            assertThat(executable.run(List.of(unaligned, heap))).isEqualTo(wanted);
            assertThat(executable.run(List.of(heap, aligned))).isEqualTo(wanted);
        }
    }

    @Test
    void resultsOutliveTheirProgramAndServeAsInputs() {
        var x = filled(HostArray.zeros(TYPE).bytes());
        var graph = Given.single(ADD, TYPE, List.of(TYPE, TYPE));
        HostArray sum;
        try (var executable = new XlaEngine().compile(graph, 1)) {
            sum = executable.run(List.of(x, x)).getFirst();
            sum = executable.run(List.of(sum, x)).getFirst();
        }
        assertThat(MemorySegment.ofBuffer(sum.bytes()).address() % 64).isZero();
        System.gc();
        assertThat(sum.get(SIZE - 1)).isEqualTo(3.0 * (SIZE - 1));
    }

    /// 1.6 GB of results in all, of which each is garbage at once.
    @Test
    void resultsThatNothingReadsAreFreed() throws Exception {
        var large = ArrayType.of(F32, 1 << 20);
        var x = HostArray.zeros(large);
        var graph = Given.single(ADD, large, List.of(large, large));
        long before = residentBytes();
        try (var executable = new XlaEngine().compile(graph, 1)) {
            for (int i = 0; i < 400; i++) {
                executable.run(List.of(x, x));
            }
        }
        assertThat(residentBytes() - before).isLessThan(1L << 30);
    }

    private static long residentBytes() throws IOException {
        var fields = Files.readString(Path.of("/proc/self/statm")).split(" ");
        return Long.parseLong(fields[1]) * 4096;
    }

    private static HostArray filled(ByteBuffer bytes) {
        var floats = bytes.order(ByteOrder.nativeOrder());
        for (int i = 0; i < SIZE; i++) {
            floats.putFloat(4 * i, i);
        }
        return HostArray.wrap(TYPE, floats);
    }
}
