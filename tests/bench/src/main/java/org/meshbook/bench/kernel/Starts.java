package org.meshbook.bench.kernel;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;

/// Starts a kernel again and again: an eager client asks the moment that a socket listens, a
/// standard one waits for kernel_info first. Every start must answer.
final class Starts {
    private final Peer peer;
    private final PrintStream out;

    Starts(Peer peer, PrintStream out) {
        this.peer = peer;
        this.out = out;
    }

    /// @param count how many times
    /// @return how many answered
    int run(int count) throws InterruptedException {
        var answered = 0;
        for (var at = 0; at < count; at++) {
            var eager = at % 2 == 0;
            try (var front = Front.start(peer)) {
                if (!eager) {
                    front.ask("kernel_info_request", Map.of());
                }
                var ran = front.run(peer.sum().apply(at));
                var gone = front.shutdown();
                if (ran.status().equals("ok") && gone != null) {
                    answered++;
                } else {
                    tell(at, eager, gone == null ? "lived on after shutdown" : ran.status());
                }
            } catch (IOException e) {
                tell(at, eager, String.valueOf(e.getMessage()));
            }
        }
        out.println("%d of %d starts answered and left".formatted(answered, count));
        return answered;
    }

    private void tell(int at, boolean eager, String why) {
        out.println("start %d, %s client: %s".formatted(at, eager ? "eager" : "standard", why));
    }
}
