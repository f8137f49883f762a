package org.meshbook.elastic.data.source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;

/// A column of texts that becomes the narrowest kind of array that holds them all.
///
/// @param values one a row; empty where the file has none
record TextColumn(List<String> values) {
    /// The array, and the words it numbers if it is one of texts.
    record Typed(Array array, List<String> words) {}

    Typed typed() {
        if (values.stream().allMatch(TextColumn::truth)) {
            var truths = new boolean[values.size()];
            for (int i = 0; i < truths.length; i++) {
                truths[i] = values.get(i).equalsIgnoreCase("true");
            }
            return new Typed(Array.of(truths), List.of());
        }
        try {
            return new Typed(whole(), List.of());
        } catch (NumberFormatException e) {
            return fractions();
        }
    }

    private Array whole() {
        var longs = new long[values.size()];
        boolean wide = false;
        for (int i = 0; i < longs.length; i++) {
            longs[i] = Long.parseLong(values.get(i));
            wide |= longs[i] != (int) longs[i];
        }
        if (wide) {
            return longs(longs);
        }
        var ints = new int[longs.length];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = (int) longs[i];
        }
        return Array.of(ints);
    }

    private Typed fractions() {
        var floats = new float[values.size()];
        try {
            for (int i = 0; i < floats.length; i++) {
                var value = values.get(i);
                floats[i] = value.isEmpty() ? Float.NaN : Float.parseFloat(value);
            }
        } catch (NumberFormatException e) {
            return words();
        }
        return new Typed(Array.of(floats), List.of());
    }

    Typed words() {
        var words = new ArrayList<>(new TreeSet<>(values));
        var places = new int[values.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = Collections.binarySearch(words, values.get(i));
        }
        return new Typed(Array.of(places), List.copyOf(words));
    }

    /// @return `i64` of the same values
    static Array longs(long[] values) {
        var array = HostArray.zeros(ArrayType.of(DType.I64, values.length));
        array.bytes().asLongBuffer().put(values);
        return array;
    }

    private static boolean truth(String value) {
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
    }
}
