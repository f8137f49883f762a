package org.meshbook.elastic.store;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// Copies of shards in this worker's host memory, each with its checksum. Thread-safe.
public final class HostCopies {
    /// Parts are copied and added to the checksum while they are in the processor's cache.
    private static final int PART_BYTES = 256 << 10;

    private static final int RELEASED_KEPT = 1_024;

    /// @param shared whether an array has the memory, too, so that the pool gets it no more
    record Kept(ArrayType type, ByteBuffer data, long checksum, boolean shared) {
        Kept(ArrayType type, ByteBuffer data, long checksum) {
            this(type, data, checksum, false);
        }
    }

    /// How a device's bytes come into host memory: the engine's business.
    public interface Copying {
        /// @param value what a device holds
        /// @param from first byte
        /// @param host filled from its position to its limit
        void copy(HostArray value, int from, ByteBuffer host);
    }

    private final Copying copying;
    private final HostMemory memory = new HostMemory();
    private final Map<Long, Map<Integer, Kept>> copies = new HashMap<>();
    private final LinkedHashSet<Long> released = new LinkedHashSet<>();

    /// @param copying how bytes leave a device
    public HostCopies(Copying copying) {
        this.copying = copying;
    }

    /// Copies a shard; returns when every byte is here, so that its source may go then. Nothing is
    /// kept of a copy that was released meanwhile.
    ///
    /// @param copy number of the copy
    /// @param shard number within the copy
    /// @param value what to copy
    public void keep(long copy, int shard, HostArray value) {
        var data = memory.take(Math.toIntExact(value.type().bytes()));
        Optional<ByteBuffer> unused = Optional.of(data);
        try {
            var kept = new Kept(value.type(), data, fill(data, value));
            synchronized (copies) {
                if (!released.contains(copy)) {
                    var earlier =
                            copies.computeIfAbsent(copy, _ -> new HashMap<>()).put(shard, kept);
                    unused = Optional.empty();
                    Optional.ofNullable(earlier).ifPresent(this::giveBack);
                }
            }
        } finally {
            unused.ifPresent(memory::give);
        }
    }

    /// @return every copy, by its number; for an image
    Map<Long, Map<Integer, Kept>> all() {
        synchronized (copies) {
            var all = new HashMap<Long, Map<Integer, Kept>>();
            copies.forEach((copy, shards) -> all.put(copy, Map.copyOf(shards)));
            return all;
        }
    }

    /// Takes a shard over from an image.
    void put(long copy, int shard, Kept kept) {
        synchronized (copies) {
            copies.computeIfAbsent(copy, _ -> new HashMap<>()).put(shard, kept);
        }
    }

    /// @return memory of the pool
    ByteBuffer memory(int bytes) {
        return memory.take(bytes);
    }

    /// Takes memory for a shard that is written in place before anybody reads it; it has no
    /// checksum.
    ///
    /// @param copy number of the copy
    /// @param shard number within the copy
    /// @param type of the shard
    /// @return the memory; what was there before is still there
    public HostArray room(long copy, int shard, ArrayType type) {
        var data = memory.take(Math.toIntExact(type.bytes()));
        synchronized (copies) {
            if (!released.contains(copy)) {
                copies.computeIfAbsent(copy, _ -> new HashMap<>())
                        .put(shard, new Kept(type, data, 0));
                return HostArray.wrap(type, data.duplicate());
            }
        }
        // Its client gave it up; what is written now nobody reads.
        memory.give(data);
        return HostArray.zeros(type);
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

    /// Hands a shard's memory over, without a copy: whoever has it keeps it beyond the release, and
    /// the pool does not get it back. Fresh memory is what a copy costs most.
    ///
    /// @param copy number of the copy
    /// @param shard number within the copy
    /// @return the bytes, which nobody writes to any more
    /// @throws FaultException if there is no such copy
    public HostArray share(long copy, int shard) throws FaultException {
        synchronized (copies) {
            var shards = copies.get(copy);
            if (shards != null) {
                shards.computeIfPresent(
                        shard,
                        (_, kept) -> new Kept(kept.type(), kept.data(), kept.checksum(), true));
            }
        }
        return value(copy, shard);
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
            // A device that is behind may still bring a shard of it.
            released.add(copy);
            if (released.size() > RELEASED_KEPT) {
                released.removeFirst();
            }
        }
        if (shards != null) {
            shards.values().forEach(this::giveBack);
        }
    }

    private void giveBack(Kept kept) {
        if (kept.shared()) {
            memory.forget(kept.data());
        } else {
            memory.give(kept.data());
        }
    }

    /// @return numbers of the copies that are here
    public Set<Long> numbers() {
        synchronized (copies) {
            return Set.copyOf(copies.keySet());
        }
    }

    /// @return bytes held, those of the pool included
    public long bytes() {
        return memory.bytes();
    }

    /// @return the checksum of what was copied
    private long fill(ByteBuffer data, HostArray value) {
        var crc = new CRC32C();
        for (int at = 0; at < data.capacity(); at += PART_BYTES) {
            int length = Math.min(PART_BYTES, data.capacity() - at);
            copying.copy(value, at, data.slice(at, length));
            crc.update(data.slice(at, length));
        }
        return crc.getValue();
    }

    private static long checksum(ByteBuffer data) {
        var crc = new CRC32C();
        crc.update(data.duplicate());
        return crc.getValue();
    }
}
