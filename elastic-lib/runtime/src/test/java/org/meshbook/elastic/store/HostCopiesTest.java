package org.meshbook.elastic.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.FaultException;

class HostCopiesTest {
    private final HostCopies copies = new HostCopies(HostCopiesTest::copy);

    @Test
    void copyDoesNotChangeWhenItsSourceIsOverwritten() throws FaultException {
        // More than one part, and an odd end.
        var source = Array.normal(1, 3, 70_001).toHost();
        var before = HostArray.wrap(source.type(), fresh(source.bytes()));
        copies.keep(7, 0, source);
        source.bytes().putFloat(0, 1234).putFloat(700_000, 1234);
        assertThat(copies.value(7, 0)).isEqualTo(before);
        assertThat(copies.verify(7)).isEqualTo(before.type().bytes());
    }

    @Test
    void changedByteIsFoundByARead() throws FaultException {
        copies.keep(7, 0, Array.normal(1, 100_000).toHost());
        assertThat(copies.verify(7)).isEqualTo(400_000);
        var bytes = copies.value(7, 0).bytes();
        bytes.put(399_999, (byte) (bytes.get(399_999) ^ 1));
        assertThatThrownBy(() -> copies.verify(7))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void shardThatComesAfterTheReleaseIsNotKept() {
        copies.keep(7, 0, Array.normal(1, 1_000).toHost());
        copies.release(7);
        long held = copies.bytes();
        copies.keep(7, 1, Array.normal(2, 1_000).toHost());
        assertThatThrownBy(() -> copies.value(7, 1)).isInstanceOf(FaultException.class);
        assertThat(copies.bytes()).isEqualTo(held);
    }

    @Test
    void sharedMemoryIsNotUsedAgain() throws Exception {
        var copies = new HostCopies(HostCopiesTest::copy);
        var old = Array.normal(1, 50, 50).toHost();
        copies.keep(1, 0, old);
        var shared = copies.share(1, 0);
        assertThat(copies.verify(1)).isEqualTo(old.type().bytes());
        copies.release(1);
        assertThat(copies.bytes()).isZero();
        copies.keep(2, 0, Array.normal(2, 50, 50).toHost());
        assertThat(shared).isEqualTo(old);
    }

    @Test
    void memoryOfAReleasedCopyIsUsedAgain() {
        for (int copy = 1; copy <= 100; copy++) {
            copies.keep(copy, 0, Array.normal(copy, 1_000).toHost());
            if (copy > 1) {
                copies.release(copy - 1);
            }
        }
        assertThat(copies.bytes()).isEqualTo(2 * 4_000);
    }

    @Test
    void failureInACopyGivesItsMemoryBack() {
        var broken =
                new HostCopies(
                        (_, _, _) -> {
                            throw new IllegalStateException("the device is gone");
                        });
        var value = Array.normal(1, 1_000).toHost();
        for (int copy = 1; copy <= 10; copy++) {
            int number = copy;
            assertThatThrownBy(() -> broken.keep(number, 0, value))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(broken.bytes()).isEqualTo(4_000);
    }

    private static void copy(HostArray value, int from, ByteBuffer host) {
        host.put(value.bytes().slice(from, host.remaining()));
    }

    private static ByteBuffer fresh(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    }
}
