package org.meshbook.elastic.transport;

/// Another worker, or this one.
///
/// @param slice index of its slice
/// @param generation the slice's generation
/// @param host index within the slice
/// @param firstDevice id of its first device
/// @param devices number of its devices
/// @param address where its bulk port is
/// @param bulkPort port; 0 for one that cannot be reached
public record Peer(
        int slice,
        int generation,
        int host,
        int firstDevice,
        int devices,
        String address,
        int bulkPort) {
    /// @param device id of a device
    /// @return whether it is one of this worker's
    public boolean owns(int device) {
        return device >= firstDevice && device < firstDevice + devices;
    }

    @Override
    public String toString() {
        return "slice " + slice + " host " + host + " generation " + generation;
    }
}
