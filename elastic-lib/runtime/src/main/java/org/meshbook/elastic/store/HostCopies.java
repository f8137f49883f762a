package org.meshbook.elastic.store;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// Copies of shards in this worker's host memory, each with its checksum. Thread-safe.
public final class HostCopies {
    private record Kept(ArrayType type, ByteBuffer data, long checksum) {}

    private final HostMemory memory = new HostMemory();
    private final Map<Long, Map<Integer, Kept>> copies = new HashMap<>();

    /// Copies a shard.
    ///
    /// @param copy number of the copy
    /// @param shard number within the copy
    /// @param value what to copy
    public void keep(long copy, int shard, HostArray value) {
        var data = memory.take(Math.toIntExact(value.type().bytes()));
        data.put(value.bytes()).flip();
        var kept = new Kept(value.type(), data, checksum(data));
        Kept earlier;
        synchronized (copies) {
            earlier = copies.computeIfAbsent(copy, _ -> new HashMap<>()).put(shard, kept);
        }
        if (earlier != null) {
            memory.give(earlier.data());
        }
    }

    /// @param copy number of the copy
    /// @param shard number within the copy
    /// @return a view of the bytes, good until the copy is released
    /// @throws FaultException if there is no such copy
    public HostArray value(long copy, int shard) throws FaultException {
        Kept kept;
        synchronized (copies) {
            kept = copies.getOrDefault(copy, Map.of()).get(shard);
        }
        if (kept == null) {
            throw new FaultException(
                    Fault.failed(
                            "host copy %d has no shard %d here; it was released or never made"
                                    .formatted(copy, shard)));
        }
        return HostArray.wrap(kept.type(), kept.data().duplicate());
    }

    /// Reads every byte of a copy.
    ///
    /// @param copy number of the copy
    /// @return bytes read
    /// @throws FaultException if there is no such copy, or a checksum differs
    public long verify(long copy) throws FaultException {
        Map<Integer, Kept> shards;
        synchronized (copies) {
            shards = Map.copyOf(copies.getOrDefault(copy, Map.of()));
        }
        if (shards.isEmpty()) {
            throw new FaultException(Fault.failed("host copy " + copy + " is not here"));
        }
        long bytes = 0;
        for (var entry : shards.entrySet()) {
            var kept = entry.getValue();
            if (checksum(kept.data()) != kept.checksum()) {
                throw new FaultException(
                        Fault.failed(
                                "host copy %d, shard %d (%s): the checksum differs from when it was made"
                                        .formatted(copy, entry.getKey(), kept.type())));
            }
            bytes += kept.data().remaining();
        }
        return bytes;
    }

    /// Gives the memory back to the pool.
    ///
    /// @param copy number of the copy
    public void release(long copy) {
        Map<Integer, Kept> shards;
        synchronized (copies) {
            shards = copies.remove(copy);
        }
        if (shards != null) {
            shards.values().forEach(kept -> memory.give(kept.data()));
        }
    }

    /// @return bytes held, those of the pool included
    public long bytes() {
        return memory.bytes();
    }

    private static long checksum(ByteBuffer data) {
        var crc = new CRC32C();
        crc.update(data.duplicate());
        return crc.getValue();
    }
}
