package org.meshbook.elastic.controller.link;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.wire.proto.HostInfo;
import org.meshbook.elastic.wire.proto.SessionInfo;
import org.meshbook.elastic.wire.proto.SliceInfo;
import org.meshbook.elastic.wire.proto.StatusReply;
import tools.jackson.databind.json.JsonMapper;

/// What a head says of itself; component names are the names in its JSON.
///
/// @param head the process
/// @param slices all slices of all sessions
/// @param sessions all sessions
public record StatusReport(Head head, List<Slice> slices, List<Client> sessions) {
    public StatusReport {
        slices = List.copyOf(slices);
        sessions = List.copyOf(sessions);
    }

    /// The head's process.
    ///
    /// @param pid process id
    /// @param port port on the loopback interface
    public record Head(long pid, int port) {}

    /// One slice.
    ///
    /// @param session id of its session
    /// @param id index in the session's allocation
    /// @param generation 1 for the first processes
    /// @param state an open set: healthy, lost, returning, hung, ...
    /// @param active whether a program uses it now
    /// @param pid process id of the first host; 0 while none runs
    /// @param devices number of devices on all hosts
    /// @param since when it entered its state, ISO 8601
    /// @param cause why, in one line; empty for a slice that never failed
    /// @param hosts its worker processes
    public record Slice(
            String session,
            int id,
            int generation,
            String state,
            boolean active,
            long pid,
            int devices,
            String since,
            String cause,
            List<Host> hosts) {
        public Slice {
            hosts = List.copyOf(hosts);
        }
    }

    /// One worker process.
    ///
    /// @param pid process id; 0 while none runs
    /// @param devices number of its devices
    /// @param memoryBytes resident memory that it last reported
    public record Host(long pid, int devices, long memoryBytes) {}

    /// One session.
    ///
    /// @param id what the head calls it
    /// @param name what its client calls it
    /// @param pid process id of its client
    /// @param state attached, or detached while its grace runs
    /// @param slices number of its slices
    /// @param since when it entered its state, ISO 8601
    /// @param names what it has published
    /// @param observers how many look on
    /// @param graceSeconds how long it is kept without a client
    public record Client(
            String id,
            String name,
            long pid,
            String state,
            int slices,
            String since,
            List<String> names,
            int observers,
            long graceSeconds) {
        public Client {
            names = List.copyOf(names);
        }
    }

    /// @return this as one line of JSON
    public String json() {
        return JsonMapper.shared().writeValueAsString(this);
    }

    static StatusReport of(StatusReply reply) {
        return new StatusReport(
                new Head(reply.getPid(), reply.getPort()),
                reply.getSlicesList().stream().map(StatusReport::slice).toList(),
                reply.getSessionsList().stream().map(StatusReport::client).toList());
    }

    private static Slice slice(SliceInfo info) {
        var hosts = info.getHostsList().stream().map(StatusReport::host).toList();
        return new Slice(
                info.getSession(),
                info.getId(),
                info.getGeneration(),
                info.getState().toLowerCase(Locale.ROOT),
                info.getActive(),
                hosts.isEmpty() ? 0 : hosts.getFirst().pid(),
                hosts.stream().mapToInt(Host::devices).sum(),
                time(info.getSinceMicros()),
                info.getCause(),
                hosts);
    }

    private static Host host(HostInfo info) {
        return new Host(info.getPid(), info.getDevices(), info.getMemoryBytes());
    }

    private static Client client(SessionInfo info) {
        return new Client(
                info.getId(),
                info.getName(),
                info.getPid(),
                info.getState(),
                info.getSlices(),
                time(info.getSinceMicros()),
                info.getNamesList(),
                info.getObservers(),
                Duration.ofMillis(info.getGraceMs()).toSeconds());
    }

    private static String time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
