package org.meshbook.elastic.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.elastic.transport.Fault;

/// The memory of one device: shards by the number of their array. Thread-safe.
public final class DeviceStore {
    private final int device;
    private final Map<Long, Shard> shards = new ConcurrentHashMap<>();

    /// @param device id of the device, for messages
    public DeviceStore(int device) {
        this.device = device;
    }

    /// @param array number of an array
    /// @param shard what the device holds of it from now on
    public void put(long array, Shard shard) {
        shards.put(array, shard);
    }

    /// @param array number of an array
    /// @return what the device holds of it; poisoned if it holds nothing
    public Shard get(long array) {
        var shard = shards.get(array);
        return shard != null
                ? shard
                : new Shard.Poisoned(
                        Fault.failed(
                                "device " + device + " holds nothing of array number " + array));
    }

    /// @param arrays numbers of arrays that are needed no more
    public void free(List<Long> arrays) {
        arrays.forEach(shards::remove);
    }

    /// @return numbers of the arrays that it holds something of
    public Set<Long> numbers() {
        return Set.copyOf(shards.keySet());
    }

    /// @return bytes of all values; memory that two arrays share counts twice
    public long bytes() {
        long bytes = 0;
        for (var shard : shards.values()) {
            bytes += shard instanceof Shard.Value(var value) ? value.type().bytes() : 0;
        }
        return bytes;
    }

    /// @return number of arrays
    public int size() {
        return shards.size();
    }
}
