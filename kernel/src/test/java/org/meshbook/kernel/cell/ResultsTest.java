package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What cells gave, by their number.
@Tag("jshell")
@Timeout(120)
class ResultsTest {
    private Cells cells;

    @BeforeEach
    void open() {
        cells = new Cells();
    }

    @AfterEach
    void close() {
        cells.close();
    }

    @Test
    void aResultIsFoundByItsCell() {
        cells.run("6 * 7");
        cells.run("\"text\"");
        assertThat(cells.run("out(1)").result()).isEqualTo("42");
        assertThat(cells.run("out(2, String.class).length()").result()).isEqualTo("4");
        assertThat(cells.run("out()").result()).isEqualTo("4");
        assertThat(cells.run("$1 + 1").result()).isEqualTo("43");
        assertThat(cells.run("$2.length() + $1").result()).isEqualTo("46");
        assertThat(cells.run("\"$1\" + \"x$2\"").result()).isEqualTo("$1x$2");
    }

    @Test
    void aResultKeepsTheTypeOfItsExpression() {
        cells.run("new ArrayList<>(List.of(\"b\", \"a\"))");
        cells.run("record Point(int x, int y) { }\nnew Point(1, 2)");
        assertThat(cells.run("$1.getFirst().length()").result()).isEqualTo("1");
        assertThat(cells.run("$2.x() + $2.y()").result()).isEqualTo("3");
        cells.run("new Object() { int n = 3; }");
        assertThat(cells.run("$5.getClass() != null").result()).isEqualTo("true");
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        assertThat(cells.run("out(7)").error()).contains("cell 7 has no result; no cell has one");
        cells.run("1");
        assertThat(cells.run("out(7)").error()).contains("latest cells with one are 2");
        assertThat(cells.run("$9").error()).contains("cannot find symbol");
        assertThat(cells.run("int $8 = 5; $8").result()).isEqualTo("5");
    }

    @Test
    void largeResultsAreLetGoAndItIsSaidOnce() {
        var said = 0;
        for (var i = 0; i < 30; i++) {
            said += cells.run("new byte[8_000_000]").output().err().isEmpty() ? 0 : 1;
        }
        assertThat(said).isEqualTo(1);
        System.gc();
        assertThat(cells.run("$1").error()).contains("the result of cell 1 was let go");
        assertThat(cells.run("out(1)").error()).contains("the result of cell 1 was let go");
        assertThat(cells.run("$30.length").result()).isEqualTo("8000000");
    }

    @Test
    void whatIsLetGoIsFoundWhileAVariableHoldsIt() {
        cells.run("var held = new byte[8_000_000];\nheld");
        for (var i = 0; i < 12; i++) {
            cells.run("new byte[8_000_000]");
        }
        assertThat(cells.run("out(1) == held").result()).isEqualTo("true");
    }

    @Test
    void theLastExceptionIsKept() {
        cells.run("throw new IllegalStateException(\"boom\");");
        assertThat(cells.run("lastException().getMessage()").result()).isEqualTo("boom");
        cells.run("nosuch");
        assertThat(cells.run("lastException().getMessage()").result()).isEqualTo("boom");
    }

    @Test
    void whatWasThrownIsLetGoAfterSomeCells() {
        cells.run("class Full extends RuntimeException { byte[] much = new byte[1_000]; }");
        cells.run("var seen = new java.lang.ref.WeakReference<Throwable>(null);");
        cells.run(
                "var full = new Full(); seen = new java.lang.ref.WeakReference<>(full); throw full;");
        cells.run("full = null;");
        System.gc();
        assertThat(cells.run("lastException() == seen.get() && seen.get() != null").result())
                .isEqualTo("true");
        for (int i = 0; i < 20; i++) {
            cells.run("int i" + i + " = 0;");
        }
        System.gc();
        assertThat(cells.run("seen.get() == null && lastException() == null").result())
                .isEqualTo("true");
    }

    @Test
    void manyLargeResultsAndVariablesKeepLittle() {
        for (var i = 0; i < 30; i++) {
            cells.run("new byte[8_000_000]");
            cells.run("new byte[8_000_000]; var big = new byte[8_000_000];");
        }
        System.gc();
        var runtime = Runtime.getRuntime();
        assertThat((runtime.totalMemory() - runtime.freeMemory()) >> 20).isLessThan(200);
    }
}
