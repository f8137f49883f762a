package org.meshbook.elastic.slices.index;

import static org.meshbook.elastic.UsageError.require;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;

/// An immutable set of indices of slices, ascending, a bit for each.
public final class SliceSet extends AbstractSet<Integer> {
    /// No slice.
    public static final SliceSet NONE = new SliceSet(new long[0]);

    private final long[] words;
    private final int size;

    private SliceSet(long[] words) {
        int used = words.length;
        while (used > 0 && words[used - 1] == 0) {
            used--;
        }
        this.words = used == words.length ? words : Arrays.copyOf(words, used);
        int count = 0;
        for (long word : this.words) {
            count += Long.bitCount(word);
        }
        this.size = count;
    }

    /// @param slices indices, none negative
    /// @return the set itself if it is one of these, else a copy
    /// @throws org.meshbook.elastic.UsageError if an index is negative
    public static SliceSet copyOf(Collection<Integer> slices) {
        if (slices instanceof SliceSet ours) {
            return ours;
        }
        var words = new long[1];
        for (int slice : slices) {
            require(slice >= 0, "slice %d; indices start at 0", slice);
            int word = slice / Long.SIZE;
            if (word >= words.length) {
                words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
            }
            words[word] |= 1L << slice;
        }
        return new SliceSet(words);
    }

    /// @param others indices
    /// @return those in either
    public SliceSet plus(Set<Integer> others) {
        var more = copyOf(others);
        var longer = words.length >= more.words.length ? words.clone() : more.words.clone();
        var shorter = words.length >= more.words.length ? more.words : words;
        for (int i = 0; i < shorter.length; i++) {
            longer[i] |= shorter[i];
        }
        return new SliceSet(longer);
    }

    /// @param others indices
    /// @return those that are not among them
    public SliceSet minus(Set<Integer> others) {
        var less = copyOf(others);
        var left = words.clone();
        for (int i = 0; i < Math.min(left.length, less.words.length); i++) {
            left[i] &= ~less.words[i];
        }
        return new SliceSet(left);
    }

    @Override
    public boolean contains(Object other) {
        return other instanceof Integer slice
                && slice >= 0
                && slice / Long.SIZE < words.length
                && (words[slice / Long.SIZE] & 1L << slice) != 0;
    }

    @Override
    public boolean containsAll(Collection<?> others) {
        return others instanceof SliceSet set
                ? set.minus(this).isEmpty()
                : super.containsAll(others);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SliceSet set
                ? Arrays.equals(words, set.words)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            private int next = after(0);

            @Override
            public boolean hasNext() {
                return next >= 0;
            }

            @Override
            public Integer next() {
                if (next < 0) {
                    throw new NoSuchElementException("no slice is left");
                }
                int found = next;
                next = after(next + 1);
                return found;
            }
        };
    }

    /// The smallest member from an index on, or -1.
    private int after(int from) {
        for (int word = from / Long.SIZE; word < words.length; word++) {
            long left = words[word];
            if (word == from / Long.SIZE) {
                left &= -1L << from;
            }
            if (left != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(left);
            }
        }
        return -1;
    }
}
