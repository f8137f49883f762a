package org.meshbook.elastic.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.Pair.pair;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

class TreeTest {
    private record Layer(Array w, Array b) {}

    private record Net(
            List<Layer> layers, Map<String, Array> state, Optional<Array> extra, int depth) {}

    private enum Kind {
        SGD
    }

    private static Net net() {
        return new Net(
                List.of(
                        new Layer(Array.of(1f), Array.of(2f)),
                        new Layer(Array.of(3f), Array.of(4f))),
                Map.of("z", Array.of(6f), "a", Array.of(5f)),
                Optional.of(Array.of(7f)),
                2);
    }

    @Test
    void treeIsBuiltAgainFromItsLeaves() {
        var flat = Tree.flatten(net());
        assertThat(flat.leaves().stream().map(Array::item))
                .containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
        Net again = flat.structure().rebuild(flat.leaves());
        assertThat(again).isEqualTo(net());
        assertThat(Tree.flatten(again).structure())
                .isEqualTo(flat.structure())
                .hasSameHashCodeAs(flat.structure());
    }

    @Test
    void pathsNameEachLeaf() {
        assertThat(Tree.paths(net()))
                .containsExactly(
                        "layers[0].w",
                        "layers[0].b",
                        "layers[1].w",
                        "layers[1].b",
                        "state[a]",
                        "state[z]",
                        "extra");
        assertThat(Tree.paths(Array.of(1f))).containsExactly("");
        assertThat(Tree.paths(pair(Array.of(1f), 3))).containsExactly("first");
    }

    @Test
    void mapKeepsTheStructure() {
        Net doubled = Tree.map(net(), x -> x.mul(2));
        assertThat(doubled.state().values().iterator().next().item()).isEqualTo(10);
        assertThat(doubled.depth()).isEqualTo(2);
        Net sum = Tree.map(net(), doubled, Array::add);
        assertThat(sum.layers().get(1).b().item()).isEqualTo(12);
    }

    @Test
    void plainValuesBelongToTheStructure() {
        var a = Tree.flatten(List.of(1, "x", true, 'c', Kind.SGD, Optional.empty()));
        assertThat(a.leaves()).isEmpty();
        assertThat(a.structure())
                .isNotEqualTo(
                        Tree.flatten(List.of(2, "x", true, 'c', Kind.SGD, Optional.empty()))
                                .structure());
        assertThat(a.structure().<List<?>>rebuild(List.of()))
                .isEqualTo(List.of(1, "x", true, 'c', Kind.SGD, Optional.empty()));
    }

    @Test
    void strangeLeavesAreNamedByPathAndType() {
        assertThatThrownBy(() -> Tree.flatten(List.of(Map.of("k", new StringBuilder()))))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'[0][k]'")
                .hasMessageContaining("java.lang.StringBuilder");
        assertThatThrownBy(() -> Tree.flatten(new ArrayList<>(Arrays.asList(Array.of(1f), null))))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'[1]' is null");
        assertThatThrownBy(() -> Tree.flatten(Map.of(new Object(), Array.of(1f))))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("keys must have an order");
    }

    @Test
    void treesOfDifferentStructureDoNotJoin() {
        assertThatThrownBy(
                        () ->
                                Tree.map(
                                        List.of(Array.of(1f)),
                                        List.of(Array.of(1f), Array.of(2f)),
                                        Array::add))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("[[0]]")
                .hasMessageContaining("[[0], [1]]");
        assertThatThrownBy(() -> Tree.flatten(net()).structure().rebuild(List.of(Array.of(1f))))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("7 leaves");
    }

    private record Checked(Array a) {
        private Checked {
            UsageError.require(a.item() < 5, "a is %s, which is too much", a.item());
        }
    }

    @Test
    void recordThatChecksItselfSpeaksForItself() {
        assertThatThrownBy(() -> Tree.map(new Checked(Array.of(3f)), x -> x.mul(2)))
                .isInstanceOf(UsageError.class)
                .hasMessage("a is 6.0, which is too much");
    }
}
