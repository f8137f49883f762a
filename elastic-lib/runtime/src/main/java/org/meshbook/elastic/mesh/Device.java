package org.meshbook.elastic.mesh;

/// One accelerator device of one slice; a name, not a connection.
///
/// Ids are dense over the allocation: slices count their devices in order of slice, host and index,
/// so that a returned slice has the same ids as the one it replaces.
///
/// @param id number in the allocation
/// @param slice index of the slice that owns it
/// @param host index of the host (worker process) within the slice
/// @param index number on its host
public record Device(int id, int slice, int host, int index) implements Comparable<Device> {
    @Override
    public int compareTo(Device other) {
        return Integer.compare(id, other.id);
    }

    @Override
    public String toString() {
        return "device " + id + " (slice " + slice + ")";
    }
}
