package org.meshbook.elastic.checkpoint.tier.format;

import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.shard.Region;

/// What a checkpoint holds: written last, it makes a folder a checkpoint.
///
/// @param version of the format
/// @param run name of the run
/// @param runId of the process that wrote it
/// @param attempt distinguishes two saves of one step
/// @param step number of the step, from 1
/// @param at when, ISO 8601
/// @param mesh axes of the mesh that the arrays lay on, with their sizes
/// @param state the tree with its plain values, without the arrays, as [TreeCodec] writes it
/// @param leaves the arrays in order
/// @param files in which their shards are
/// @param shards where each part of each array is
public record Manifest(
        int version,
        String run,
        String runId,
        String attempt,
        long step,
        String at,
        Map<String, Integer> mesh,
        Object state,
        List<Leaf> leaves,
        List<File> files,
        List<Shard> shards) {
    /// Of this format.
    public static final int VERSION = 1;

    /// One array.
    ///
    /// @param path its place in the tree
    /// @param dtype element type
    /// @param dims shape
    /// @param sharding axes that cut each dimension
    /// @param host whether it lay in the client's memory
    public record Leaf(
            String path,
            String dtype,
            List<Integer> dims,
            List<List<String>> sharding,
            boolean host) {
        /// @return element type and shape
        /// @throws CheckpointCorrupt if the type is unknown
        public ArrayType type() {
            for (var known : DType.values()) {
                if (known.stableName().equals(dtype)) {
                    return new ArrayType(known, new Shape(dims));
                }
            }
            throw new CheckpointCorrupt(
                    "'%s' has elements of type '%s', which this version does not know"
                            .formatted(path, dtype));
        }
    }

    /// A host of a slice.
    ///
    /// @param slice index of the slice
    /// @param host index of the host within it
    public record Place(int slice, int host) {
        @Override
        public String toString() {
            return "slice " + slice + " host " + host;
        }
    }

    /// One file of shards.
    ///
    /// @param name in the checkpoint's folder
    /// @param length in bytes
    /// @param owner whose RAM disk has it
    /// @param peers whose RAM disks have a copy; none or one
    public record File(String name, long length, Place owner, List<Place> peers) {}

    /// One part of an array.
    ///
    /// @param leaf index of the array
    /// @param start first element, one index a dimension
    /// @param size one a dimension
    /// @param file index of the file
    /// @param offset first byte there
    /// @param length in bytes
    /// @param crc32c of the bytes, eight hexadecimal digits
    public record Shard(
            int leaf,
            List<Integer> start,
            List<Integer> size,
            int file,
            long offset,
            long length,
            String crc32c) {
        /// @return which elements it holds
        public Region region() {
            return new Region(start, size);
        }
    }

    /// @return bytes of all shards
    public long bytes() {
        return shards.stream().mapToLong(Shard::length).sum();
    }
}
