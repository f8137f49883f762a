package org.meshbook.elastic.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;

final class RunMemoryTest {
    private static final ArrayType TYPE = ArrayType.of(DType.F32, 4);

    private final DeviceStore store = new DeviceStore(0);

    @Test
    void memoryOfAFreedResultIsUsedAgain() {
        var result = made(1);
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isSameAs(result);
        assertThat(store.allocate(TYPE)).as("once").isNotSameAs(result);
    }

    @Test
    void anotherTypeGetsOtherMemory() {
        var result = made(1);
        store.free(List.of(1L));
        assertThat(store.allocate(ArrayType.of(DType.I32, 4))).isNotSameAs(result);
    }

    @Test
    void whatWasFetchedIsLeftAlone() throws Exception {
        var result = made(1);
        assertThat(store.get(1).value()).isSameAs(result);
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isNotSameAs(result);
    }

    @Test
    void whatWasPutIsLeftAlone() {
        var put = Array.of(1f, 2f, 3f, 4f);
        store.put(1, new Shard.Value(put));
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isNotSameAs(put);
    }

    @Test
    void anInputThatIsAlsoAResultIsLeftAlone() throws Exception {
        var value = made(1);
        var run = new RunMemory(store);
        run.put(List.of(2L), List.of(run.input(1)));
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isNotSameAs(value);
        assertThat(store.get(2).value()).isSameAs(value);
    }

    @Test
    void anInputThatAResultIsAViewOfIsLeftAlone() throws Exception {
        var value = made(1);
        var run = new RunMemory(store);
        var view = HostArray.wrap(ArrayType.of(DType.F32, 2, 2), run.input(1).bytes());
        run.put(List.of(2L), List.of(view));
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isNotSameAs(value);
    }

    @Test
    void aResultThatComesTwiceIsLeftAlone() {
        var run = new RunMemory(store);
        var value = run.allocate(TYPE);
        run.put(List.of(1L, 2L), List.of(value, value));
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isNotSameAs(value);
    }

    @Test
    void whatWentToOtherDevicesIsLeftAlone() {
        var run = new RunMemory(store);
        var value = run.allocate(TYPE);
        run.share(HostArray.wrap(TYPE, value.bytes()));
        run.put(List.of(1L), List.of(value));
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isNotSameAs(value);
    }

    @Test
    void anInputThatIsOnlyReadStaysTheDevicesOwn() throws Exception {
        var value = made(1);
        var run = new RunMemory(store);
        assertThat(run.input(1)).isSameAs(value);
        run.put(List.of(2L), List.of(run.allocate(TYPE)));
        store.free(List.of(1L));
        assertThat(store.allocate(TYPE)).isSameAs(value);
    }

    private HostArray made(long number) {
        var run = new RunMemory(store);
        var value = run.allocate(TYPE);
        run.put(List.of(number), List.of(value));
        return value;
    }
}
