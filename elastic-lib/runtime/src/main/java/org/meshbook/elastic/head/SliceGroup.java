package org.meshbook.elastic.head;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.slices.Priority;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.supply.Standing;
import org.meshbook.elastic.wire.proto.HostInfo;
import org.meshbook.elastic.wire.proto.SliceInfo;

/// One slice through all its generations: it fails and returns as a whole. On the head's thread
/// only.
final class SliceGroup {
    private static final Duration SHORT_LIFE = Duration.ofSeconds(2);
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(250);
    private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(1);
    private static final int DOUBLINGS = 10;

    private final Lease lease;
    private final int id;
    private final int hostCount;
    private final int devices;
    private List<HostProcess> hosts = List.of();
    private List<Path> images = List.of();
    private SliceState state = SliceState.RETURNING;
    private Instant since = Instant.now();
    private long sinceNanos = System.nanoTime();
    private String cause = "";
    private int generation;
    private long untilMicros;
    private int quickFailures;
    private boolean restartDue;
    private String instead = "";
    private @Nullable SliceGroup evictedFor;
    private boolean byQueue;
    private @Nullable Standing standing;

    SliceGroup(Lease lease, int id, int hostCount, int devices) {
        this.lease = lease;
        this.id = id;
        this.hostCount = hostCount;
        this.devices = devices;
    }

    Lease lease() {
        return lease;
    }

    int id() {
        return id;
    }

    int generation() {
        return generation;
    }

    /// It comes and goes through a queue from now on, and waits there at first.
    void queueUp() {
        byQueue = true;
        queued("asked for");
    }

    /// @return whether somebody else decides when it is there
    boolean byQueue() {
        return byQueue;
    }

    boolean isQueued() {
        return state == SliceState.QUEUED;
    }

    void queued(String why) {
        cause = why;
        if (!isQueued()) {
            enter(SliceState.QUEUED);
        }
    }

    void stands(Standing now) {
        standing = now;
    }

    /// @return how it stands with its queue; empty until the queue says so
    Optional<Standing> standing() {
        return Optional.ofNullable(standing);
    }

    boolean stands(Standing.Phase phase) {
        return standing != null && standing.phase() == phase;
    }

    /// @return why it was taken away; empty unless it was
    Optional<String> takenAway() {
        return standing().filter(_ -> stands(Standing.Phase.REVOKED)).map(Standing::text);
    }

    int firstDevice(int host) {
        return (id * hostCount + host) * devices;
    }

    List<HostProcess> hosts() {
        return hosts;
    }

    /// @return why it is as it is, in one line
    String cause() {
        return cause;
    }

    SliceState state() {
        return state;
    }

    Instant since() {
        return since;
    }

    boolean healthy() {
        return state == SliceState.HEALTHY;
    }

    boolean serves() {
        return state.serves();
    }

    boolean isLeaving() {
        return state == SliceState.LEAVING;
    }

    boolean isDraining() {
        return state == SliceState.DRAINING;
    }

    boolean isRestoring() {
        return state == SliceState.RESTORING;
    }

    boolean isSuspended() {
        return state == SliceState.SUSPENDED;
    }

    /// @return whether its processes are being started
    boolean starting() {
        return state == SliceState.RETURNING || isRestoring();
    }

    /// @return whether its processes run or are being started, so that it can be lost
    boolean running() {
        return state.serves() || starting();
    }

    boolean has(HostProcess host) {
        return hosts.contains(host);
    }

    /// @return whether these are its processes, or were the last ones
    boolean runs(List<HostProcess> processes) {
        return !hosts.isEmpty() && hosts.getFirst() == processes.getFirst();
    }

    boolean allRegistered() {
        return hosts.stream().allMatch(HostProcess::isRegistered);
    }

    boolean allEnded() {
        return hosts.stream().allMatch(HostProcess::ended);
    }

    /// A suspended slice comes back as the generation that it was: nothing of it is lost.
    List<HostProcess> nextGeneration() {
        boolean resumes = isSuspended();
        images = resumes ? hosts.stream().map(HostProcess::image).toList() : List.of();
        generation += resumes ? 0 : 1;
        restartDue = false;
        var fresh = new ArrayList<HostProcess>();
        for (int host = 0; host < hostCount; host++) {
            fresh.add(new HostProcess(this, generation, host));
        }
        hosts = List.copyOf(fresh);
        enter(resumes ? SliceState.RESTORING : SliceState.RETURNING);
        return hosts;
    }

    /// @return images that its hosts go on from, in order; none unless it is being restored
    List<Path> images() {
        return images;
    }

    void drains(String why) {
        cause = why;
        enter(SliceState.DRAINING);
    }

    /// When it will be gone, if it announced its end.
    long until() {
        return untilMicros;
    }

    void until(long micros) {
        untilMicros = micros;
    }

    boolean allImaged() {
        return hosts.stream().allMatch(HostProcess::isImaged);
    }

    void suspended() {
        enter(SliceState.SUSPENDED);
    }

    void leaves(String why) {
        cause = why;
        enter(SliceState.LEAVING);
    }

    void returned() {
        enter(SliceState.HEALTHY);
    }

    /// @param as LOST, or HUNG until its processes have been ended
    void lost(SliceState as, String why) {
        instead = "";
        boolean lived = state.holds() && System.nanoTime() - sinceNanos >= SHORT_LIFE.toNanos();
        quickFailures = lived ? 0 : quickFailures + 1;
        cause = why;
        enter(as);
    }

    void fenced() {
        enter(SliceState.LOST);
    }

    void restartDue() {
        restartDue = true;
    }

    /// Its next generation is another one that takes its place.
    ///
    /// @param which as "an idle spare"
    void swap(String which) {
        instead = which;
    }

    boolean isSwapped() {
        return !instead.isEmpty();
    }

    /// @return what took its place; empty if it is its own
    String instead() {
        return instead;
    }

    /// It has to make room for a lost one of a higher priority.
    void evict(SliceGroup lost) {
        evictedFor = lost;
    }

    Optional<SliceGroup> evictedFor() {
        return Optional.ofNullable(evictedFor);
    }

    void roomIsMade() {
        evictedFor = null;
    }

    Priority priority() {
        return new Priority(Math.max(1, lease.allocation().orElseThrow().getPriority()));
    }

    /// @return as "slice 2 of session s1 (priority low)"
    String title() {
        return "slice %d of session %s (priority %s)".formatted(id, lease.id(), priority());
    }

    boolean canRestart() {
        return restartDue && !running() && allEnded();
    }

    /// A slice that fails again and again waits longer each time, the first failure not counted.
    Duration restartDelay(Duration asked) {
        if (quickFailures < 2) {
            return asked;
        }
        var base = asked.compareTo(FIRST_BACK_OFF) > 0 ? asked : FIRST_BACK_OFF;
        var delay = base.multipliedBy(1L << Math.min(quickFailures - 1, DOUBLINGS));
        var cap = asked.compareTo(LONGEST_BACK_OFF) > 0 ? asked : LONGEST_BACK_OFF;
        return delay.compareTo(cap) > 0 ? cap : delay;
    }

    SliceInfo info() {
        var info =
                SliceInfo.newBuilder()
                        .setSession(lease.id())
                        .setId(id)
                        .setGeneration(generation)
                        .setState(state.name())
                        .setActive(lease.isActive(this))
                        .setSinceMicros(EventLog.micros(since))
                        .setCause(cause);
        standing().ifPresent(s -> info.setJob(s.job()).setPosition(s.position()));
        hosts.forEach(host -> info.addHosts(host.info(devices)));
        for (int host = hosts.size(); host < hostCount; host++) {
            info.addHosts(HostInfo.newBuilder().setDevices(devices));
        }
        return info.build();
    }

    private void enter(SliceState next) {
        state = next;
        since = Instant.now();
        sinceNanos = System.nanoTime();
    }
}
