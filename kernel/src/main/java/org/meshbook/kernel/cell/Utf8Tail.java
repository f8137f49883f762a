package org.meshbook.kernel.cell;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Turns bytes that are cut anywhere into whole characters.
final class Utf8Tail {
    private byte[] tail = {};

    /// @return the text of every character that is whole by now
    synchronized String text(byte[] bytes, int offset, int length) {
        var all = bytes;
        var from = offset;
        var count = length;
        if (tail.length > 0) {
            all = Arrays.copyOf(tail, tail.length + length);
            System.arraycopy(bytes, offset, all, tail.length, length);
            from = 0;
            count = all.length;
        }
        var whole = count - incomplete(all, from, count);
        tail = Arrays.copyOfRange(all, from + whole, from + count);
        return new String(all, from, whole, StandardCharsets.UTF_8);
    }

    /// @return how many bytes at the end begin a character that they do not finish
    private static int incomplete(byte[] bytes, int from, int count) {
        for (var back = 1; back <= Math.min(3, count); back++) {
            var b = bytes[from + count - back];
            if ((b & 0xC0) == 0x80) {
                continue;
            }
            var needed = (b & 0x80) == 0 ? 1 : (b & 0xE0) == 0xC0 ? 2 : (b & 0xF0) == 0xE0 ? 3 : 4;
            return needed > back ? back : 0;
        }
        return 0;
    }
}
