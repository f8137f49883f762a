package org.meshbook.elastic.sim;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// One virtual slice: what is true of it, and what the head knows.
final class SimSlice {
    final int id;
    final int devices;
    int generation = 1;
    boolean alive = true;
    boolean hung;
    int stops;
    int suspensions;
    boolean corrupt;
    boolean rotten;
    long lostAt = -1;
    long lostInStep = -1;
    LossKind kind = LossKind.PROCESS_GONE;
    SliceState state = SliceState.HEALTHY;
    Instant since;
    String cause = "";

    /// Objects of host functions; they are gone with the processes.
    final Map<Class<?>, HostFunction> functions = new HashMap<>();

    SimSlice(int id, int devices, Instant since) {
        this.id = id;
        this.devices = devices;
        this.since = since;
    }

    boolean told() {
        return !state.holds();
    }

    /// What it holds is on its way into an image, in it, or on its way back.
    boolean away() {
        return state.holds() && !state.serves() || state == SliceState.DRAINING;
    }

    void go(long count, LossKind how, String why) {
        alive = false;
        hung = false;
        lostAt = count;
        kind = how;
        cause = why;
    }

    void comeBack(Instant at) {
        alive = true;
        hung = false;
        corrupt = false;
        rotten = false;
        functions.clear();
        generation++;
        state = SliceState.HEALTHY;
        since = at;
    }

    SliceView view() {
        return new SliceView(
                id,
                generation,
                state,
                List.of(new HostView(alive ? 1000L * generation + id : 0, devices, 0)),
                since,
                cause);
    }
}
