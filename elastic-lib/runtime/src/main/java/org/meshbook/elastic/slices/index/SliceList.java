package org.meshbook.elastic.slices.index;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/// An immutable list in chunks: a changed copy shares all chunks but one.
///
/// @param <E> type of the elements
public final class SliceList<E> extends AbstractList<E> implements RandomAccess {
    static final int CHUNK = 64;

    private final Object[][] chunks;
    private final int size;

    private SliceList(Object[][] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    /// @param list any list
    /// @param <E> type of the elements
    /// @return the list itself if it is one of these, else a copy
    public static <E> SliceList<E> copyOf(List<E> list) {
        if (list instanceof SliceList<E> ours) {
            return ours;
        }
        var chunks = new Object[(list.size() + CHUNK - 1) / CHUNK][];
        for (int i = 0; i < chunks.length; i++) {
            int from = i * CHUNK;
            chunks[i] = list.subList(from, Math.min(list.size(), from + CHUNK)).toArray();
        }
        return new SliceList<>(chunks, list.size());
    }

    /// @param index an index of the list
    /// @param element what stands there instead
    /// @return the changed copy
    public SliceList<E> with(int index, E element) {
        Objects.checkIndex(index, size);
        var changed = chunks.clone();
        changed[index / CHUNK] = changed[index / CHUNK].clone();
        changed[index / CHUNK][index % CHUNK] = element;
        return new SliceList<>(changed, size);
    }

    @Override
    @SuppressWarnings("unchecked") // only elements were put in
    public E get(int index) {
        Objects.checkIndex(index, size);
        return (E) chunks[index / CHUNK][index % CHUNK];
    }

    @Override
    public int size() {
        return size;
    }
}
