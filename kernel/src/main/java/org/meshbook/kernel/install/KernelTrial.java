package org.meshbook.kernel.install;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.meshbook.kernel.client.KernelClient;
import org.meshbook.kernel.client.KernelClient.Message;
import org.meshbook.kernel.client.KernelProcess;
import org.meshbook.kernel.wire.Channel;

/// Starts an installed kernel once, as Jupyter would, and lets it compute.
///
/// @param answered from its start to its first reply
/// @param computed from its start to the value of `1 + 1`
/// @param ended from the request to shut down to the end of its process
public record KernelTrial(Duration answered, Duration computed, Duration ended) {
    /// How often it is looked whether a kernel that does not answer has ended.
    private static final Duration LOOK = Duration.ofMillis(200);

    /// How often a request is repeated: what is published before the connection stands is lost.
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /// @param spec a `kernel.json`
    /// @param patience how long each step may take
    /// @return how long they took
    /// @throws NotInstalled if a step failed
    /// @throws InterruptedException if the wait is interrupted
    public static KernelTrial run(Path spec, Duration patience) throws InterruptedException {
        var start = System.nanoTime();
        try (var process = KernelProcess.start(spec);
                var client = new KernelClient(process.connection())) {
            // 1. it answers  2. it computes  3. it leaves
            answer(process, client, patience);
            var answered = since(start);
            compute(process, client, patience);
            var computed = since(start);
            var leaving = System.nanoTime();
            client.send(Channel.CONTROL, "shutdown_request", Map.of("restart", false));
            if (!process.ended(patience)) {
                throw new NotInstalled(
                        "the kernel still runs %s after it was told to leave"
                                .formatted(text(patience)));
            }
            return new KernelTrial(answered, computed, since(leaving));
        } catch (IOException e) {
            throw new NotInstalled("the kernel cannot be started: " + e.getMessage());
        }
    }

    private static void answer(KernelProcess process, KernelClient client, Duration patience) {
        var deadline = System.nanoTime() + patience.toNanos();
        var again = System.nanoTime();
        while (System.nanoTime() < deadline) {
            if (System.nanoTime() >= again) {
                client.send(Channel.SHELL, "kernel_info_request", Map.of());
                again = System.nanoTime() + AGAIN.toNanos();
            }
            var reply = client.next(Channel.SHELL, m -> m.type().equals("kernel_info_reply"), LOOK);
            if (reply.isPresent()) {
                return;
            }
            checkAlive(process, "before it answered");
        }
        throw new NotInstalled(
                "the kernel does not answer within " + text(patience) + said(process));
    }

    private static void compute(KernelProcess process, KernelClient client, Duration patience) {
        var content = new LinkedHashMap<String, Object>();
        content.put("code", "1 + 1");
        content.put("silent", false);
        content.put("store_history", false);
        content.put("user_expressions", Map.of());
        content.put("allow_stdin", false);
        var deadline = System.nanoTime() + patience.toNanos();
        var again = System.nanoTime();
        var result = Optional.<Message>empty();
        while (result.isEmpty() && System.nanoTime() < deadline) {
            if (System.nanoTime() >= again) {
                client.send(Channel.SHELL, "execute_request", content);
                again = System.nanoTime() + AGAIN.toNanos();
            }
            result = client.next(Channel.IOPUB, KernelTrial::isEnd, LOOK);
            checkAlive(process, "at its first cell");
        }
        var value =
                result.map(m -> m.content().path("data").path("text/plain").asString(m.type()))
                        .orElse("nothing within " + text(patience));
        if (!value.equals("2")) {
            throw new NotInstalled("the kernel answers, but 1 + 1 gave " + value + said(process));
        }
    }

    private static boolean isEnd(Message message) {
        return message.type().equals("execute_result") || message.type().equals("error");
    }

    private static void checkAlive(KernelProcess process, String when) {
        if (!process.isAlive()) {
            throw new NotInstalled(
                    "the kernel ended with status %d %s%s"
                            .formatted(process.status(), when, said(process)));
        }
    }

    private static String said(KernelProcess process) {
        var words = process.lastWords();
        return words.isEmpty() ? "" : "; it said: " + words;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static String text(Duration patience) {
        return patience.toSeconds() + " s";
    }
}
