package org.meshbook.elastic.slices.index;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An immutable map from indices of slices, ascending, in chunks: a changed copy shares all but
/// one.
///
/// @param <V> type of the values
public final class SliceMap<V> extends AbstractMap<Integer, V> {
    private final SliceSet keys;
    private final Object[][] chunks;

    private SliceMap(SliceSet keys, Object[][] chunks) {
        this.keys = keys;
        this.chunks = chunks;
    }

    /// @param map any map
    /// @param <V> type of the values
    /// @return the map itself if it is one of these, else a copy
    public static <V> SliceMap<V> copyOf(Map<Integer, V> map) {
        return map instanceof SliceMap<V> ours
                ? ours
                : new SliceMap<V>(SliceSet.NONE, new Object[0][]).with(map);
    }

    /// @param more entries that replace those of the same slices
    /// @return the changed copy
    public SliceMap<V> with(Map<Integer, ? extends V> more) {
        if (more.isEmpty()) {
            return this;
        }
        var added = SliceSet.copyOf(more.keySet());
        int length = chunks.length;
        for (int slice : added) {
            length = Math.max(length, slice / SliceList.CHUNK + 1);
        }
        var changed = new Object[length][];
        System.arraycopy(chunks, 0, changed, 0, chunks.length);
        for (var entry : more.entrySet()) {
            int chunk = entry.getKey() / SliceList.CHUNK;
            if (changed[chunk] == null) {
                changed[chunk] = new Object[SliceList.CHUNK];
            } else if (chunk < chunks.length && changed[chunk] == chunks[chunk]) {
                changed[chunk] = changed[chunk].clone();
            }
            changed[chunk][entry.getKey() % SliceList.CHUNK] = entry.getValue();
        }
        return new SliceMap<>(keys.plus(added), changed);
    }

    /// @param wanted indices
    /// @return the entries of these
    public SliceMap<V> only(Set<Integer> wanted) {
        var left = keys.minus(keys.minus(wanted));
        return left.size() == keys.size() ? this : new SliceMap<>(left, chunks);
    }

    @Override
    @SuppressWarnings("unchecked") // only values were put in
    public @Nullable V get(Object key) {
        return keys.contains(key)
                ? (V) chunks[(Integer) key / SliceList.CHUNK][(Integer) key % SliceList.CHUNK]
                : null;
    }

    @Override
    public boolean containsKey(Object key) {
        return keys.contains(key);
    }

    @Override
    public Set<Integer> keySet() {
        return keys;
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public Set<Entry<Integer, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return keys.size();
            }

            @Override
            public Iterator<Entry<Integer, V>> iterator() {
                var slices = keys.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return slices.hasNext();
                    }

                    @Override
                    public Entry<Integer, V> next() {
                        int slice = slices.next();
                        return Map.entry(slice, value(slice));
                    }
                };
            }
        };
    }

    @SuppressWarnings("unchecked") // only values were put in
    private V value(int slice) {
        return (V) chunks[slice / SliceList.CHUNK][slice % SliceList.CHUNK];
    }
}
