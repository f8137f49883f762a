package org.meshbook.elastic.worker;

/// What one worker process is told when it is started.
///
/// @param session id of the session that owns the slice
/// @param slice index of the slice
/// @param generation generation of the slice that this process belongs to
/// @param host index of the host within the slice
/// @param devices number of devices to offer
/// @param firstDevice id of the first of them in the allocation
/// @param engine name of the engine
/// @param threads engine threads for one run, at least 1
/// @param token what callers must show
/// @param observerToken what callers must show who only look and fetch what is published
public record WorkerConfig(
        String session,
        int slice,
        int generation,
        int host,
        int devices,
        int firstDevice,
        String engine,
        int threads,
        String token,
        String observerToken) {
    @Override
    public String toString() {
        return "worker slice="
                + slice
                + " generation="
                + generation
                + " host="
                + host
                + " devices="
                + devices;
    }
}
