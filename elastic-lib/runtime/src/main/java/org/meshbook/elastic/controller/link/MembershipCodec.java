package org.meshbook.elastic.controller.link;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.controller.Membership;
import org.meshbook.elastic.controller.WorkerAddress;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.wire.proto.EventInfo;
import org.meshbook.elastic.wire.proto.HostInfo;
import org.meshbook.elastic.wire.proto.MembershipUpdate;
import org.meshbook.elastic.wire.proto.SliceInfo;

/// Reads what the head tells of membership.
final class MembershipCodec {
    static final Membership NOTHING = new Membership(new ClusterView(0, List.of()), List.of());

    private MembershipCodec() {}

    static Membership membership(MembershipUpdate update) {
        var slices = update.getSlicesList().stream().map(MembershipCodec::slice).toList();
        var workers = new ArrayList<WorkerAddress>();
        for (var slice : update.getSlicesList()) {
            if (state(slice).serves()) {
                for (int host = 0; host < slice.getHostsCount(); host++) {
                    workers.add(address(slice, host));
                }
            }
        }
        return new Membership(new ClusterView(update.getGeneration(), slices), workers);
    }

    /// @return the event; empty for those that change no membership
    static Optional<SliceEvent> event(EventInfo event) {
        var at = time(event.getAtMicros());
        return switch (event.getKind()) {
            case "joined" ->
                    Optional.of(new SliceEvent.Joined(at, event.getSlice(), event.getGeneration()));
            case "swapped" ->
                    Optional.of(
                            new SliceEvent.Joined(
                                    at,
                                    event.getSlice(),
                                    event.getGeneration(),
                                    event.getInstead()));
            case "lost" ->
                    Optional.of(
                            new SliceEvent.Lost(
                                    at,
                                    event.getSlice(),
                                    event.getGeneration(),
                                    LossKind.valueOf(event.getLoss()),
                                    event.getText()));
            case "leaving" ->
                    Optional.of(
                            new SliceEvent.Leaving(
                                    at,
                                    event.getSlice(),
                                    event.getGeneration(),
                                    time(event.getUntilMicros()),
                                    event.getText()));
            case "draining" ->
                    Optional.of(
                            new SliceEvent.Draining(
                                    at,
                                    event.getSlice(),
                                    event.getGeneration(),
                                    time(event.getUntilMicros()),
                                    event.getText()));
            case "suspended" ->
                    Optional.of(
                            new SliceEvent.Suspended(
                                    at, event.getSlice(), event.getGeneration(), event.getBytes()));
            case "resumed" ->
                    Optional.of(
                            new SliceEvent.Resumed(at, event.getSlice(), event.getGeneration()));
            default -> Optional.empty();
        };
    }

    private static SliceView slice(SliceInfo info) {
        return new SliceView(
                info.getId(),
                info.getGeneration(),
                state(info),
                info.getHostsList().stream().map(MembershipCodec::host).toList(),
                time(info.getSinceMicros()),
                info.getCause(),
                Optional.of(new SliceView.Place(info.getJob(), info.getPosition()))
                        .filter(place -> !place.job().isEmpty()));
    }

    private static SliceState state(SliceInfo info) {
        return SliceState.valueOf(info.getState());
    }

    private static HostView host(HostInfo info) {
        return new HostView(info.getPid(), info.getDevices(), info.getMemoryBytes());
    }

    private static WorkerAddress address(SliceInfo slice, int host) {
        var info = slice.getHosts(host);
        return new WorkerAddress(
                slice.getId(),
                slice.getGeneration(),
                host,
                info.getDevices(),
                info.getAddress(),
                info.getDispatchPort(),
                info.getBulkPort());
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
