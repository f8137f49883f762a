package org.meshbook.elastic.slices.hosts;

import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;

/// One part of an array in a host's memory.
///
/// @param region which elements of the whole array
/// @param data the elements, row-major
public record HostShard(Region region, HostArray data) {}
