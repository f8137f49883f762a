package org.meshbook.magics.daily.files;

import java.io.ByteArrayOutputStream;
import org.meshbook.kernel.spi.MagicException;

/// What a process printed, on its way into a variable. Public because a cell's snippet takes it.
public final class Captured extends ByteArrayOutputStream {
    private static final int MOST_BYTES = 64 << 20;

    private static final ThreadLocal<String> OFFERED = new ThreadLocal<>();

    Captured() {}

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        if (size() + length > MOST_BYTES) {
            throw new MagicException(
                    "the script printed more than %d MiB; let it write into a file"
                            .formatted(MOST_BYTES >> 20));
        }
        super.write(bytes, offset, length);
    }

    static void offer(String text) {
        OFFERED.set(text);
    }

    /// @return what the calling thread was just offered
    public static String take() {
        var text = OFFERED.get();
        OFFERED.remove();
        return text == null ? "" : text;
    }
}
