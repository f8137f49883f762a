package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LivingCellsTest {
    private final BareHost host = new BareHost();
    private final LivingCells cells = new LivingCells();
    private final RunningCell one = host.cell("", 1, new Recorded());
    private final RunningCell two = host.cell("", 2, new Recorded());
    private final RunningCell again = host.cell("", 1, new Recorded());

    @Test
    void cellsAreFoundByNumberAlsoWhereTheyShareOne() {
        cells.add(one);
        cells.add(two);
        cells.add(again);
        assertThat(cells.all()).containsExactlyInAnyOrder(one, two, again);
        assertThat(cells.numbered(1)).containsExactlyInAnyOrder(one, again);
        assertThat(cells.numbered(3)).isEmpty();
        assertThat(cells.ran("5")).isEmpty();
    }
}
