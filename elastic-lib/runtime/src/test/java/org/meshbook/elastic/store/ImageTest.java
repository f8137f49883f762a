package org.meshbook.elastic.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

class ImageTest {
    private static final HostArray BIG = Array.normal(1, 700, 900);
    private static final HostArray SMALL = Array.scalar(7);

    @TempDir Path folder;

    private final DeviceStore first = new DeviceStore(4);
    private final DeviceStore second = new DeviceStore(5);
    private final HostCopies copies = copies();

    private static HostCopies copies() {
        return new HostCopies(
                (value, from, host) -> host.put(value.bytes().slice(from, host.remaining())));
    }

    private Path image() throws IOException {
        var shared = new Shard.Value(BIG);
        first.put(1, shared);
        second.put(1, shared);
        second.put(2, new Shard.Value(SMALL));
        second.put(3, new Shard.Poisoned(Fault.lost(2, "process 4711 ended by signal 9")));
        copies.keep(9, 0, BIG);
        var file = folder.resolve("image");
        long bytes = Image.write(file, List.of(first, second), copies, Set.of(1L));
        assertThat(Files.size(file)).isEqualTo(bytes);
        return file;
    }

    @Test
    void everythingComesBackBitByBitAndSharedShardsAreWrittenOnce() throws Exception {
        var file = image();
        assertThat(Files.size(file)).isLessThan(2 * BIG.type().bytes() + 1_000);
        var backFirst = new DeviceStore(4);
        var backSecond = new DeviceStore(5);
        var backCopies = copies();
        var published = Image.read(file, List.of(backFirst, backSecond), backCopies);
        assertThat(published).containsExactly(1L);
        assertThat(backFirst.get(1).value()).isEqualTo(BIG);
        assertThat(backSecond.get(1)).isSameAs(backFirst.get(1));
        assertThat(backSecond.get(2).value()).isEqualTo(SMALL);
        assertThatThrownBy(() -> backSecond.get(3).value())
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e ->
                                assertThat(e.fault())
                                        .isEqualTo(
                                                Fault.lost(2, "process 4711 ended by signal 9")));
        assertThat(backCopies.verify(9)).isEqualTo(BIG.type().bytes());
    }

    @Test
    void imageIsTakenOnce() throws Exception {
        var file = image();
        Image.read(file, List.of(new DeviceStore(4), new DeviceStore(5)), copies());
        assertThatThrownBy(() -> Image.read(file, List.of(first, second), copies))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it was resumed already, or dropped");
    }

    @Test
    void eachByteThatChangesIsNoticedAndNothingIsTakenOver() throws Exception {
        first.put(1, new Shard.Value(SMALL));
        first.put(3, new Shard.Poisoned(Fault.lost(2, "gone")));
        copies.keep(9, 0, SMALL);
        var file = folder.resolve("image");
        Image.write(file, List.of(first), copies, Set.of(1L));
        var bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at++) {
            var damaged = bytes.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            var back = new DeviceStore(4);
            assertThatThrownBy(() -> Image.read(file, List.of(back), copies()))
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class);
            assertThat(back.size()).isZero();
        }
    }

    @Test
    void tornImageIsNone() throws Exception {
        var file = image();
        var bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        var back = new DeviceStore(4);
        assertThatThrownBy(() -> Image.read(file, List.of(back, second), copies()))
                .isInstanceOf(IOException.class);
        assertThat(back.size()).isZero();
    }
}
