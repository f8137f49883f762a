package org.meshbook.kernel.wire.zmtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static final int LARGEST = 1 << 20;

    private static byte[] noise(int length, long seed) {
        var bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static ByteBuffer wire(List<Frame> frames) {
        var out = ByteBuffer.allocate(frames.stream().mapToInt(Frame::wireBytes).sum());
        frames.forEach(frame -> frame.write(out));
        return out.flip();
    }

    @Test
    void framesOfEveryLengthComeBackHoweverTheyAreCut() throws BadPeer {
        var sent = new ArrayList<Frame>();
        for (var length : new int[] {0, 1, 255, 256, 16 << 10, (16 << 10) + 1, 100_000, LARGEST}) {
            sent.add(new Frame(noise(length, length), length % 2 == 0, length == 1));
        }
        for (var cut : new int[] {1, 2, 7, 4096, 1 << 21}) {
            var bytes = wire(sent);
            var reader = new FrameReader(LARGEST);
            var read = new ArrayList<Frame>();
            while (bytes.hasRemaining()) {
                var piece = bytes.slice(bytes.position(), Math.min(cut, bytes.remaining()));
                bytes.position(bytes.position() + piece.remaining());
                for (var f = reader.next(piece); f != null; f = reader.next(piece)) {
                    read.add(f);
                }
                assertThat(piece.hasRemaining()).isFalse();
            }
            assertThat(wire(read)).isEqualTo(wire(sent));
        }
    }

    @Test
    void aLengthThatNobodySendsIsAFault() {
        for (var announced : new long[] {LARGEST + 1L, Long.MAX_VALUE, -1L}) {
            var noise = ByteBuffer.allocate(9).put((byte) Frame.LONG).putLong(announced).flip();
            assertThatThrownBy(() -> new FrameReader(LARGEST).next(noise))
                    .isInstanceOf(BadPeer.class)
                    .hasMessageContaining(String.valueOf(announced));
        }
    }

    @Test
    void flagsThatNobodyKnowsAreAFault() {
        for (var flags : new int[] {8, 0x80, 0xFF}) {
            var noise = ByteBuffer.wrap(new byte[] {(byte) flags, 0});
            assertThatThrownBy(() -> new FrameReader(LARGEST).next(noise))
                    .isInstanceOf(BadPeer.class);
        }
    }
}
