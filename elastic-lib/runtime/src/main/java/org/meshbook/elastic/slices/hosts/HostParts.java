package org.meshbook.elastic.slices.hosts;

import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.mesh.Device;

/// Parts of arrays that hosts have or can read, so that together they hold the whole of each.
///
/// @param call makes the parts: each host gets its own as outputs, in the order of `parts`; the
///   call's own arrays and outputs are empty
/// @param types of the arrays
/// @param parts who makes what; a part may be made by several hosts, and each element of each array
///   must be in exactly one distinct part
public record HostParts(HostCall call, List<ArrayType> types, List<Part> parts) {
    /// One part on one host.
    ///
    /// @param array index of the array
    /// @param region which elements of it
    /// @param device any device of the host
    public record Part(int array, Region region, Device device) {}

    public HostParts {
        types = List.copyOf(types);
        parts = List.copyOf(parts);
    }
}
