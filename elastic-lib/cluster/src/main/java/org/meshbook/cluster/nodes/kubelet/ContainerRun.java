package org.meshbook.cluster.nodes.kubelet;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.nodes.process.Exit;
import org.meshbook.cluster.nodes.process.Running;
import tools.jackson.databind.JsonNode;

/// One container of a pod that runs here. Belongs to the loop's thread.
///
/// A container that ended may be started again: at once the first time, then after 10 s, twice as
/// long each time up to 5 min; one that ran for 10 min begins anew.
final class ContainerRun {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LAST_PAUSE = Duration.ofMinutes(5);
    private static final Duration GOOD_RUN = Duration.ofMinutes(10);

    private final JsonNode spec;
    private final boolean init;
    private @Nullable Running running;
    private @Nullable Exit last;
    private Instant started = Instant.EPOCH;
    private int starts;
    private Duration pause = Duration.ZERO;
    private Instant notBefore = Instant.EPOCH;
    private String waiting = "ContainerCreating";
    private String message = "";

    ContainerRun(JsonNode spec, boolean init) {
        this.spec = spec;
        this.init = init;
    }

    JsonNode spec() {
        return spec;
    }

    String name() {
        return spec.path("name").asString("");
    }

    /// @return whether it must end before those after it begin
    boolean first() {
        return init && !sidecar();
    }

    boolean sidecar() {
        return init && spec.path("restartPolicy").asString("").equals("Always");
    }

    /// A container as an earlier process left it: if it ran, it was lost.
    void adopt(JsonNode status, Instant now) {
        starts = status.path("restartCount").asInt(0);
        var state = status.path("state");
        var ended = state.has("terminated") ? state : status.path("lastState");
        if (state.has("running")) {
            started = Instant.parse(state.path("running").path("startedAt").asString(""));
            starts++;
            last = Exit.lost(now);
        } else if (ended.has("terminated")) {
            starts++;
            var how = ended.path("terminated");
            last =
                    new Exit(
                            how.path("exitCode").asInt(0),
                            how.path("reason").asString(""),
                            how.path("message").asString(""),
                            Instant.parse(how.path("finishedAt").asString("")));
        }
    }

    void started(Running process, Instant now) {
        running = process;
        started = now;
        starts++;
        waiting = "ContainerCreating";
    }

    /// Cannot be started yet.
    void refused(String reason, String why, Instant now) {
        boolean again = waiting.equals(reason) || waiting.equals("ImagePullBackOff");
        waiting = again && reason.equals("ErrImagePull") ? "ImagePullBackOff" : reason;
        message = why;
        lengthen();
        notBefore = now.plus(pause);
    }

    /// Notes an end.
    ///
    /// @return whether it ended since the last look
    boolean look() {
        var exit = running == null ? Optional.<Exit>empty() : running.exit();
        exit.ifPresent(
                end -> {
                    running = null;
                    last = end;
                });
        return exit.isPresent();
    }

    /// Makes it wait for its next start.
    void again(String pod) {
        var end = last;
        if (end == null) {
            return;
        }
        if (Duration.between(started, end.at()).compareTo(GOOD_RUN) > 0) {
            pause = Duration.ZERO;
        }
        notBefore = end.at().plus(pause);
        waiting = "CrashLoopBackOff";
        message =
                "back-off %s restarting failed container=%s pod=%s"
                        .formatted(brief(pause), name(), pod);
        lengthen();
    }

    private void lengthen() {
        pause = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
        pause = pause.compareTo(LAST_PAUSE) < 0 ? pause : LAST_PAUSE;
    }

    private static String brief(Duration time) {
        long seconds = time.toSeconds();
        return seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
    }

    /// @return whether it ended and will be started again
    boolean waitsAgain() {
        return waiting.equals("CrashLoopBackOff") && !runs();
    }

    boolean runs() {
        return running != null;
    }

    Optional<Running> running() {
        return Optional.ofNullable(running);
    }

    Optional<Exit> last() {
        return Optional.ofNullable(last);
    }

    Instant startedAt() {
        return started;
    }

    Instant notBefore() {
        return notBefore;
    }

    int starts() {
        return starts;
    }

    String waiting() {
        return waiting;
    }

    String message() {
        return message;
    }
}
