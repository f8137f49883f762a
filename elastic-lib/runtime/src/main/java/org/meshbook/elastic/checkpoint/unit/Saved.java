package org.meshbook.elastic.checkpoint.unit;

import java.util.Optional;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Sharding;

/// One array of a unit.
///
/// @param path in the tree
/// @param type of the whole array
/// @param host its value, if it is a host array; others lie in the host copy, in the same order
/// @param alone where it lay, if that was one device alone
public record Saved(
        String path, ArrayType type, Optional<HostArray> host, Optional<Sharding> alone) {}
