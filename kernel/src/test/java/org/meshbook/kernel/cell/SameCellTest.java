package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A cell that is run again means what it says at that time, whether or not it is compiled anew.
@Tag("jshell")
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SameCellTest {
    private final Cells cells = new Cells();

    @AfterAll
    void close() {
        cells.close();
    }

    private String run(String code) {
        return cells.run(code).result();
    }

    @Test
    void sameTextReadsWhatVariablesHoldNow() {
        run("int held = 1;");
        assertThat(run("held + 1")).isEqualTo("2");
        run("held = 5;");
        assertThat(run("held + 1")).isEqualTo("6");
        assertThat(run("held++;\nSystem.out.print(held);")).isEmpty();
        assertThat(cells.run("held++;\nSystem.out.print(held);").output().out()).isEqualTo("7");
    }

    @Test
    void sameTextFollowsDeclarations() {
        run("int shape = 1;");
        assertThat(run("shape + 1")).isEqualTo("2");
        run("String shape = \"x\";");
        assertThat(run("shape + 1")).isEqualTo("x1");
        run("int twice(Object of) { return 2; }");
        assertThat(run("twice(shape)")).isEqualTo("2");
        run("int twice(String of) { return 3; }");
        assertThat(run("twice(shape)")).isEqualTo("3");
    }

    @Test
    void failureOfASecondRunNamesTheSecondCell() {
        run("int by = 1;");
        var first = cells.run("\n10 / by");
        run("by = 0;");
        var second = cells.run("\n10 / by");
        assertThat(first.result()).isEqualTo("10");
        assertThat(second.error()).contains("/ by zero").contains("10 / by");
        assertThat(second.error()).containsPattern("cell \\d+:2 ");
        run("int other = 0;");
        var third = cells.run("\n10 / by");
        var fourth = cells.run("\n\n\n10 / by");
        assertThat(third.error()).containsPattern("cell \\d+:2 ");
        assertThat(fourth.error()).containsPattern("cell \\d+:4 ");
    }

    @Test
    void declarationsOfASecondRunAreFresh() {
        assertThat(run("var list = new ArrayList<Integer>(); list.add(1); list")).isEqualTo("[1]");
        assertThat(run("var list = new ArrayList<Integer>(); list.add(1); list")).isEqualTo("[1]");
    }
}
