package org.meshbook.elastic.store;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.FaultException;

/// What one run reads and makes in a device's memory.
///
/// It finds out which results are the device's alone, so that their memory can be used again once
/// they are freed: those that an engine wrote into memory allocated here, and that neither another
/// result, nor a value handed to other devices, shares memory with. Not thread-safe: the device's
/// thread's.
public final class RunMemory {
    private final DeviceStore store;
    private final Set<HostArray> made = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<HostArray, Long> own = new IdentityHashMap<>();

    /// @param store the device's memory
    public RunMemory(DeviceStore store) {
        this.store = store;
    }

    /// @param array number of an array that the run reads
    /// @return its value
    /// @throws FaultException if it is poisoned
    public HostArray input(long array) throws FaultException {
        var value = store.operand(array).value();
        if (store.isOwn(array)) {
            own.put(value, array);
        }
        return value;
    }

    /// @param type of a result
    /// @return memory for it, of any content
    public HostArray allocate(ArrayType type) {
        var array = store.allocate(type);
        made.add(array);
        return array;
    }

    /// Others may keep this value for longer than the run.
    ///
    /// @param value anything that the run has
    public void share(HostArray value) {
        if (made.remove(value)) {
            return;
        }
        made.removeIf(array -> overlap(array, value));
        own.entrySet()
                .removeIf(
                        input -> {
                            boolean shared = overlap(input.getKey(), value);
                            if (shared) {
                                store.share(input.getValue());
                            }
                            return shared;
                        });
    }

    /// Leaves the results in the store.
    ///
    /// @param arrays their numbers
    /// @param results one for each
    public void put(List<Long> arrays, List<HostArray> results) {
        Set<HostArray> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (var result : results) {
            // What was not made here may be an input, or a view of something else.
            if (!seen.add(result) || !made.contains(result)) {
                share(result);
            }
        }
        for (int i = 0; i < arrays.size(); i++) {
            var result = results.get(i);
            if (made.contains(result)) {
                store.putOwn(arrays.get(i), result);
            } else {
                store.put(arrays.get(i), new Shard.Value(result));
            }
        }
    }

    private static boolean overlap(HostArray one, HostArray other) {
        if (one == other) {
            return true;
        }
        var a = one.bytes();
        var b = other.bytes();
        return a.isDirect()
                && b.isDirect()
                && MemorySegment.ofBuffer(a)
                        .asOverlappingSlice(MemorySegment.ofBuffer(b))
                        .isPresent();
    }
}
