package org.meshbook.elastic.controller.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.controller.Membership;
import org.meshbook.elastic.controller.link.MembershipBoard;
import org.meshbook.elastic.slices.Priority;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.wire.proto.ProvisionSlices;
import org.meshbook.elastic.wire.proto.QueueOrder;

/// From a request to healthy slices.
final class Provisioning {
    /// A worker that failed to start this often fails for a reason that time does not heal.
    private static final int STARTS = 2;

    private Provisioning() {}

    static ProvisionSlices message(ProvisionRequest request) {
        var message =
                ProvisionSlices.newBuilder()
                        .setSlices(request.slices())
                        .setHosts(request.hosts())
                        .setDevices(request.devices())
                        .setEngine(request.engine())
                        .setThreads(request.threads())
                        .setRestartDelayMs(request.restartDelay().toMillis())
                        .setHeartbeatMs(request.heartbeat().toMillis())
                        .setNoticeMs(request.notice().toMillis())
                        .setSpares(request.spares())
                        .setSuspend(request.suspend())
                        .setPriority(request.priority().value())
                        .setForced(request.forced());
        request.queue().map(Provisioning::order).ifPresent(message::setQueue);
        return message.build();
    }

    private static QueueOrder order(QueueRequest queue) {
        return QueueOrder.newBuilder()
                .setQueue(queue.queue())
                .setFlavor(queue.flavor())
                .setPriorityClass(queue.priorityClass())
                .setAtLeast(queue.atLeast())
                .setName(queue.name())
                .build();
    }

    static ProvisionRequest request(ProvisionSlices message) {
        var request =
                ProvisionRequest.of(message.getSlices())
                        .withHosts(message.getHosts())
                        .withDevices(message.getDevices())
                        .withEngine(message.getEngine())
                        .withThreads(message.getThreads())
                        .withRestartDelay(Duration.ofMillis(message.getRestartDelayMs()))
                        .withHeartbeat(Duration.ofMillis(message.getHeartbeatMs()))
                        .withNotice(Duration.ofMillis(message.getNoticeMs()))
                        .withSpares(message.getSpares())
                        .withSuspend(message.getSuspend())
                        .withPriority(new Priority(message.getPriority()));
        return message.hasQueue() ? request.through(queue(message.getQueue())) : request;
    }

    private static QueueRequest queue(QueueOrder order) {
        return new QueueRequest(
                order.getQueue(),
                order.getFlavor(),
                order.getPriorityClass(),
                order.getAtLeast(),
                order.getName());
    }

    static void awaitHealthy(MembershipBoard board, ProvisionRequest request)
            throws InterruptedException {
        boolean settled =
                board.await(
                        now -> healthy(now) == request.slices() || !failing(now).isEmpty(),
                        request.within());
        var now = board.newest();
        var failing = failing(now);
        if (!failing.isEmpty()) {
            var first = failing.getFirst();
            throw new ProvisionFailed(
                    "%d slices asked for; slice %d does not start: %s"
                            .formatted(request.slices(), first.id(), first.cause()));
        }
        if (!settled) {
            throw new ProvisionFailed(
                    ("%d slices asked for within %d s, %d are healthy; slices %s are not; see the"
                                    + " head's log, or ask for fewer")
                            .formatted(
                                    request.slices(),
                                    request.within().toSeconds(),
                                    healthy(now),
                                    missing(now)));
        }
    }

    private static int healthy(Membership now) {
        return now.view().healthy().size();
    }

    private static List<SliceView> failing(Membership now) {
        return now.view().slices().stream().filter(slice -> failures(slice) >= STARTS).toList();
    }

    private static int failures(SliceView slice) {
        return switch (slice.state()) {
            case HEALTHY, LEAVING, DRAINING, SUSPENDED, RESTORING, QUEUED -> 0;
            case RETURNING -> slice.generation() - 1;
            case LOST, HUNG -> slice.generation();
        };
    }

    private static List<String> missing(Membership now) {
        var missing = new ArrayList<String>();
        for (var slice : now.view().slices()) {
            if (slice.state() != SliceState.HEALTHY) {
                missing.add(
                        slice.cause().isEmpty()
                                ? Integer.toString(slice.id())
                                : slice.id() + " (" + slice.cause() + ")");
            }
        }
        return missing;
    }
}
