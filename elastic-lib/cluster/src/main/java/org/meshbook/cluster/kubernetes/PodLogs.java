package org.meshbook.cluster.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;

/// Reads one container's output to its end, however often the server ends the answer before.
///
/// Each line comes with the time at which it was printed. A new answer begins at the second of the
/// last line; lines up to that one are left out. What is followed is read once more when the
/// container has ended, because a node may end an answer before the last lines of a short job.
final class PodLogs {
    private static final int BAD_REQUEST = 400;
    private static final int WAITING = 10_000;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Connection connection;
    private final ResourceKey pod;
    private final Logs.Options options;
    private final Supplier<Optional<Resource>> find;
    private final LinkedBlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>(WAITING);
    private volatile @Nullable Call call;
    private volatile boolean stopped;
    private @Nullable RuntimeException failure;

    /// The time of the last line, and how many lines have it.
    private String last = "";

    private int ofLast;
    private boolean seen;

    PodLogs(
            Connection connection,
            ResourceKey pod,
            Logs.Options options,
            Supplier<Optional<Resource>> find) {
        this.connection = connection;
        this.pod = pod;
        this.options = options;
        this.find = find;
    }

    /// Reads on a thread of its own: a person who presses stop does not wait for the server.
    void tell(Logs.Lines listener) throws InterruptedException {
        var thread = Thread.ofVirtual().name("meshbook-logs-" + pod.name()).start(this::run);
        try {
            for (var line = lines.take(); line.isPresent(); line = lines.take()) {
                listener.line(line.get());
                if (lines.isEmpty()) {
                    listener.idle();
                }
            }
        } finally {
            stopped = true;
            var made = call;
            if (made != null) {
                made.cancel();
            }
            thread.interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void run() {
        try {
            try {
                read();
            } catch (ApiException | ClusterUnreachable e) {
                failure = e;
            }
            lines.put(Optional.empty());
        } catch (InterruptedException stop) {
            // The listener is gone.
        }
    }

    private void read() throws InterruptedException {
        while (!stopped) {
            // 1. whether it had ended before this answer began
            var before = find.get();
            seen |= before.isPresent();
            // 2. the answer
            boolean begun = answer(before.isPresent() && !ended(before.get()));
            if (!options.follow()) {
                return;
            }
            // 3. what came after its end
            if (before.isEmpty()) {
                lines.put(Optional.of("pod \"%s\" was deleted".formatted(pod.name())));
                return;
            }
            if (begun && ended(before.get())) {
                return;
            }
            connection.await(PAUSE);
        }
    }

    private boolean ended(Resource object) {
        return object.text("status", "phase").equals("Succeeded")
                || object.text("status", "phase").equals("Failed");
    }

    /// @param follow whether to wait for more
    /// @return whether the container has been started
    private boolean answer(boolean follow) throws InterruptedException {
        var ask =
                Ask.of("GET", pod)
                        .below("log")
                        .with("timestamps", "true")
                        .with("container", options.container())
                        .with("follow", follow && options.follow() ? "true" : "")
                        .with("previous", options.previous() ? "true" : "")
                        .with("sinceTime", last.isEmpty() ? since() : last)
                        .with("tailLines", last.isEmpty() ? number(options.tail()) : "");
        try (var response = connection.stream(ask, this::started);
                var reader =
                        new BufferedReader(
                                new InputStreamReader(response.body().byteStream(), UTF_8))) {
            var told = last;
            int same = 0;
            int known = ofLast;
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                int space = line.indexOf(' ');
                var time = space < 0 ? line : line.substring(0, space);
                same = time.equals(told) ? same + 1 : 0;
                if (time.compareTo(told) > 0 || same > known) {
                    ofLast = time.equals(last) ? ofLast + 1 : 1;
                    last = time;
                    lines.put(Optional.of(shown(line, space)));
                }
            }
            return true;
        } catch (ApiException refused) {
            boolean gone = refused.missing() && seen;
            if (options.follow() && (gone || waits(refused))) {
                return false;
            }
            throw refused;
        } catch (IOException broken) {
            if (!options.follow()) {
                throw connection.unreachable(broken);
            }
            return false;
        }
    }

    /// Nothing but its text tells a container that has yet to start from one that is not there.
    private static boolean waits(ApiException refused) {
        var text = String.valueOf(refused.getMessage());
        return refused.code() == BAD_REQUEST
                && (text.contains("is waiting to start") || text.contains("is not available"));
    }

    private String shown(String line, int space) {
        if (options.timestamps()) {
            return line;
        }
        return space < 0 ? "" : line.substring(space + 1);
    }

    private String since() {
        return options.since().map(Instant::toString).orElse("");
    }

    private static String number(OptionalInt tail) {
        return tail.isPresent() ? Integer.toString(tail.getAsInt()) : "";
    }

    private void started(Call made) {
        call = made;
        if (stopped) {
            made.cancel();
        }
    }
}
