package org.meshbook.magics.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    private static final Table SLICES =
            Table.of("slice", "state", "memory")
                    .row(0, "healthy", "91 MB")
                    .row(1, "lost <1>", "-")
                    .row(10, "healthy", "101 MB");

    @Test
    void textSetsNumbersFlushRight() {
        assertThat(SLICES.text())
                .isEqualTo(
                        """
                        slice  state     memory
                        ─────  ────────  ──────
                            0  healthy    91 MB
                            1  lost <1>       -
                           10  healthy   101 MB""");
    }

    @Test
    void htmlKeepsTextFromBecomingTags() {
        assertThat(SLICES.html())
                .contains("lost &lt;1&gt;")
                .contains("<th style=\"text-align:right\">slice</th>")
                .doesNotContain("<1>");
    }

    @Test
    void displayHasTextBesideHtml() {
        assertThat(SLICES.display().bundle()).containsOnlyKeys("text/plain", "text/html");
    }

    @Test
    void rowThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> SLICES.row("only one"))
                .hasMessageContaining("1 cells does not fit a table of 3 columns");
    }
}
