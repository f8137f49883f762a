package org.meshbook.elastic.slices.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;

class SliceIndexTest {
    @Test
    void setsBehaveAsSortedSets() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var a = numbers(random);
            var b = numbers(random);
            var union = new TreeSet<>(a);
            union.addAll(b);
            var rest = new TreeSet<>(a);
            rest.removeAll(b);
            var set = SliceSet.copyOf(a);
            assertThat(set.plus(b)).isEqualTo(union).hasToString(union.toString());
            assertThat(set.minus(b)).isEqualTo(rest).hasToString(rest.toString());
            assertThat(SliceSet.copyOf(rest)).isEqualTo(set.minus(SliceSet.copyOf(b)));
            assertThat(set).hasSameHashCodeAs(a).hasSize(a.size());
            assertThat(set.containsAll(SliceSet.copyOf(b))).isEqualTo(a.containsAll(b));
            assertThat(List.copyOf(set)).isSorted();
        }
        assertThatThrownBy(() -> SliceSet.copyOf(Set.of(-1))).isInstanceOf(UsageError.class);
        assertThat(SliceSet.NONE.contains(-1)).isFalse();
    }

    @Test
    void mapsBehaveAsSortedMapsAndOlderOnesStay() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var expected = new TreeMap<Integer, String>();
            var map = SliceMap.copyOf(Map.<Integer, String>of());
            for (int change = 0; change < 10; change++) {
                var before = Map.copyOf(expected);
                var older = map;
                var more = new TreeMap<Integer, String>();
                for (int slice : numbers(random)) {
                    more.put(slice, slice + " in " + change);
                }
                map = map.with(more);
                expected.putAll(more);
                assertThat(older).isEqualTo(before);
                assertThat(map).isEqualTo(expected).hasToString(expected.toString());
            }
            var wanted = numbers(random);
            expected.keySet().retainAll(wanted);
            assertThat(map.only(wanted)).isEqualTo(expected);
        }
    }

    @Test
    void listsShareWhatDidNotChange() {
        var plain = new ArrayList<Integer>();
        for (int i = 0; i < 200; i++) {
            plain.add(i);
        }
        var list = SliceList.copyOf(plain);
        var changed = list.with(130, -1);
        assertThat(list).isEqualTo(plain);
        plain.set(130, -1);
        assertThat(changed).isEqualTo(plain);
        assertThatThrownBy(() -> list.with(200, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(SliceList.copyOf(list)).isSameAs(list);
    }

    private static TreeSet<Integer> numbers(Random random) {
        var numbers = new TreeSet<Integer>();
        for (int i = random.nextInt(20); i > 0; i--) {
            numbers.add(random.nextInt(1 << random.nextInt(9)));
        }
        return numbers;
    }
}
