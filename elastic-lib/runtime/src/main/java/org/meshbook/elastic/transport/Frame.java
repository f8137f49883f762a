package org.meshbook.elastic.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// The head of one message on a bulk connection; the format is in the package's description.
///
/// @param key which message
/// @param failed whether the payload is a fault
/// @param targets ids of the devices of the receiving worker that get it
/// @param length bytes of payload that follow
record Frame(Mail.Key key, boolean failed, List<Integer> targets, long length) {
    static final int HEAD_BYTES = 40;
    static final int MAX_TARGETS = 4096;

    /// A shard is at most as large as a direct buffer.
    static final long MAX_LENGTH = Integer.MAX_VALUE;

    private static final int MAGIC = 0x4D42_4652;

    ByteBuffer encode() {
        var head = ByteBuffer.allocate(HEAD_BYTES + 4 * targets.size());
        head.putInt(MAGIC).putInt(failed ? 1 : 0).putInt(targets.size()).putInt(key.from());
        head.putLong(key.op()).putInt(key.step()).putInt(key.piece()).putLong(length);
        targets.forEach(head::putInt);
        return head.flip();
    }

    /// @param head at least [#HEAD_BYTES]
    /// @return number of targets, checked
    static int targets(ByteBuffer head) throws IOException {
        int count = head.getInt(head.position() + 8);
        if (head.getInt(head.position()) != MAGIC || count < 1 || count > MAX_TARGETS) {
            throw new IOException("damaged bulk frame");
        }
        return count;
    }

    static Frame decode(ByteBuffer head) throws IOException {
        var targets = new Integer[targets(head)];
        head.getInt();
        boolean failed = head.getInt() == 1;
        head.getInt();
        int from = head.getInt();
        var key = new Mail.Key(head.getLong(), head.getInt(), head.getInt(), from);
        long length = head.getLong();
        if (length < 0 || length > MAX_LENGTH) {
            throw new IOException("bulk frame of " + length + " bytes; the limit is " + MAX_LENGTH);
        }
        Arrays.setAll(targets, _ -> head.getInt());
        return new Frame(key, failed, List.of(targets), length);
    }

    static ByteBuffer encode(Fault fault) {
        var slices = new StringBuilder();
        fault.slices().forEach(slice -> slices.append(slice).append(' '));
        var text = fault.kind() + "\n" + slices.toString().trim() + "\n" + fault.message();
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static Fault fault(ByteBuffer payload) {
        var lines = StandardCharsets.UTF_8.decode(payload).toString().split("\n", 3);
        var slices = new TreeSet<Integer>();
        for (var slice : lines[1].split(" ")) {
            if (!slice.isEmpty()) {
                slices.add(Integer.valueOf(slice));
            }
        }
        return new Fault(Fault.Kind.valueOf(lines[0]), slices, lines[2]);
    }
}
