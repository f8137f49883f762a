package org.meshbook.kernel.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Messages that are not what they should be, from a seed.
///
/// The msg_id says what may become of one: nothing of those that begin with `bad`, whose signature
/// is wrong or whose frames are broken; anything proper of those that begin with `odd`, which are
/// rightly signed but ask strange things.
final class Mutations {
    private static final byte[] DELIMITER = "<IDS|MSG>".getBytes(UTF_8);
    private static final List<String> TYPES =
            List.of(
                    "execute_request",
                    "complete_request",
                    "inspect_request",
                    "is_complete_request",
                    "history_request",
                    "comm_info_request",
                    "comm_open",
                    "comm_msg",
                    "comm_close",
                    "kernel_info_request",
                    "connect_request",
                    "interrupt_request",
                    "delete_subshell_request",
                    "list_subshell_request",
                    "debug_request",
                    "input_reply",
                    "no_such_request",
                    "_request",
                    "");
    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "-1",
                    "1e400",
                    "99999999999999999999",
                    "\"\"",
                    "\"\\ud83d\"",
                    "[]",
                    "{}",
                    "[[[[{}]]]]",
                    "\"print x\"",
                    "\"c\"",
                    "0.5");
    private static final List<String> FIELDS =
            List.of(
                    "code",
                    "silent",
                    "store_history",
                    "user_expressions",
                    "allow_stdin",
                    "stop_on_error",
                    "cursor_pos",
                    "detail_level",
                    "hist_access_type",
                    "n",
                    "session",
                    "start",
                    "stop",
                    "pattern",
                    "unique",
                    "output",
                    "raw",
                    "comm_id",
                    "target_name",
                    "data",
                    "value",
                    "seq",
                    "command",
                    "subshell_id");

    private final RandomGenerator random;
    private final String key;
    private int count;

    Mutations(RandomGenerator random, String key) {
        this.random = random;
        this.key = key;
    }

    /// @return frames for a DEALER
    List<byte[]> next() {
        count++;
        return random.nextInt(20) == 0 ? odd() : bad();
    }

    private List<byte[]> bad() {
        var right = message("bad-" + count, one(TYPES), "{\"code\": \"print x\"}", key);
        for (var tries = 0; tries < 100; tries++) {
            var wrong = mutated(new ArrayList<>(right));
            // Frames behind the content are buffers, which nobody signs.
            if (!same(wrong, right)) {
                return wrong;
            }
        }
        throw new AssertionError("no mutation of " + right.size() + " frames differs");
    }

    private List<byte[]> mutated(List<byte[]> frames) {
        switch (random.nextInt(7)) {
            case 0, 1 -> flip(frames, 1 + random.nextInt(frames.size() - 1));
            case 2 -> {
                return frames.subList(0, random.nextInt(frames.size()));
            }
            case 3 -> {
                var unused = frames.remove(random.nextInt(frames.size()));
            }
            case 4 -> frames.set(random.nextInt(frames.size()), noise(random.nextInt(200)));
            case 5 -> {
                return message("bad-" + count, one(TYPES), "{\"code\": \"print x\"}", key + "x");
            }
            default -> {
                var from = frames.remove(random.nextInt(frames.size()));
                frames.add(random.nextInt(frames.size() + 1), from);
            }
        }
        return frames.isEmpty() ? List.of(new byte[0]) : frames;
    }

    private void flip(List<byte[]> frames, int at) {
        var bytes = frames.get(at).clone();
        if (bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        frames.set(at, bytes);
    }

    /// Whether the parts that are signed, and their signature, stand where they stood.
    private static boolean same(List<byte[]> some, List<byte[]> others) {
        if (some.size() < others.size()) {
            return false;
        }
        for (var at = 0; at < others.size(); at++) {
            if (!Arrays.equals(some.get(at), others.get(at))) {
                return false;
            }
        }
        return true;
    }

    private List<byte[]> odd() {
        var content = new StringBuilder("{");
        for (var at = random.nextInt(5); at > 0; at--) {
            content.append('"').append(one(FIELDS)).append("\": ").append(one(VALUES));
            content.append(at > 1 ? ", " : "");
        }
        content.append(random.nextInt(10) == 0 ? "" : "}");
        var text = random.nextInt(20) == 0 ? "[".repeat(2000) : content.toString();
        return message("odd-" + count, one(TYPES), text, key);
    }

    private List<byte[]> message(String id, String type, String content, String signedWith) {
        var header =
                "{\"msg_id\": \"%s\", \"session\": \"s\", \"username\": \"u\", \"msg_type\": \"%s\"%s}"
                        .formatted(
                                id,
                                type,
                                random.nextInt(30) == 0 ? ", \"subshell_id\": \"none\"" : "");
        var parts = List.of(header, "{}", "{}", content);
        var frames = new ArrayList<byte[]>();
        frames.add(DELIMITER);
        frames.add(JupyterClient.sign(parts, signedWith).getBytes(UTF_8));
        parts.forEach(part -> frames.add(part.getBytes(UTF_8)));
        return frames;
    }

    byte[] noise(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
