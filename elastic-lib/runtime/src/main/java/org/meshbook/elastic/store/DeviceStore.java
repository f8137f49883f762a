package org.meshbook.elastic.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.Fault;

/// The memory of one device: shards by the number of their array. Thread-safe.
public final class DeviceStore {
    private final int device;
    private final Map<Long, Shard> shards = new ConcurrentHashMap<>();

    /// Arrays whose memory nobody else refers to.
    private final Set<Long> own = ConcurrentHashMap.newKeySet();

    private final Recycler memory = new Recycler();

    /// @param device id of the device, for messages
    public DeviceStore(int device) {
        this.device = device;
    }

    /// @param array number of an array
    /// @param shard what the device holds of it from now on
    public void put(long array, Shard shard) {
        shards.put(array, shard);
    }

    /// @param type of an array that is going to be put
    /// @return memory for it, of any content
    HostArray allocate(ArrayType type) {
        return memory.take(type);
    }

    /// @param array number of an array
    /// @param value of [#allocate], which nobody else refers to; used again when it is freed
    void putOwn(long array, HostArray value) {
        own.add(array);
        put(array, new Shard.Value(value));
    }

    boolean isOwn(long array) {
        return own.contains(array);
    }

    /// Others refer to the array's memory, too.
    void share(long array) {
        own.remove(array);
    }

    /// What is handed out may be kept, so that its memory is left to the garbage collector.
    ///
    /// @param array number of an array
    /// @return what the device holds of it; poisoned if it holds nothing
    public Shard get(long array) {
        share(array);
        return operand(array);
    }

    /// @return what the device holds of it, for as long as a run takes
    Shard operand(long array) {
        var shard = shards.get(array);
        return shard != null
                ? shard
                : new Shard.Poisoned(
                        Fault.failed(
                                "device " + device + " holds nothing of array number " + array));
    }

    /// @param arrays numbers of arrays that are needed no more
    public void free(List<Long> arrays) {
        for (long array : arrays) {
            var shard = shards.remove(array);
            if (own.remove(array) && shard instanceof Shard.Value(var value)) {
                memory.give(value);
            }
        }
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
