package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Cells at the limits of the compiler and the VM: each says one clear thing, and the next works.
@Tag("jshell")
@Timeout(180)
class HardCellsTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @AfterEach
    void theNextCellWorks() {
        assertThat(cells.run("String next() { return \"works\"; }\nnext()").result())
                .isEqualTo("works");
        assertThat(cells.engine().complete("\"\".isBl", 7).matches()).contains("isBlank()");
    }

    private static String lines(int count, String line) {
        return IntStream.range(0, count)
                .mapToObj(i -> line.replace("#", "" + i))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aMethodTooLarge() {
        var body = lines(9_000, "i = i * 3 + #;");
        assertThat(cells.run("void large() { int i = 0;\n" + body + " }").error())
                .startsWith("CompileError: code too large");
        assertThat(cells.run("{ int i = 0;\n" + body + " }").error())
                .startsWith("CompileError: code too large");
    }

    @Test
    void aTextTooLong() {
        assertThat(cells.run("String t = \"" + "a".repeat(70_000) + "\";").error())
                .startsWith("CompileError");
    }

    @Test
    void anExpressionTooDeep() {
        var deep = "int x = " + "(1 + ".repeat(20_000) + "1" + ")".repeat(20_000) + ";";
        assertThat(cells.run(deep).error())
                .startsWith("CompilerLimit: the cell is nested too deeply");
        assertThat(cells.engine().complete(deep, deep.length() / 2).matches()).isEmpty();
        assertThat(cells.engine().completeness(deep).status()).isEqualTo("complete");
    }

    @Test
    void aCellOfThousandsOfLines() {
        assertThat(cells.run("int sum = 0;\n" + lines(3_000, "sum += #;") + "\nsum").result())
                .isEqualTo("4498500");
        var type = "class Long5 {\n" + lines(5_000, "int f# = #;") + "\n}\nnew Long5().f4999";
        assertThat(cells.run(type).result()).isEqualTo("4999");
    }

    @Test
    void aStackOverflow() {
        cells.run("int down(int n) { return down(n + 1) + 1; }");
        assertThat(cells.run("down(0)").error()).startsWith("StackOverflowError");
    }

    @Test
    void errorsOfTheVm() {
        assertThat(cells.run("throw new OutOfMemoryError(\"fake\");").error())
                .startsWith("OutOfMemoryError: fake");
        assertThat(cells.run("throw new ThreadDeath();").error()).startsWith("ThreadDeath");
        assertThat(cells.run("throw new VerifyError(\"fake\");").error())
                .startsWith("VerifyError: fake");
        cells.run("class Bad { static int x = 1 / 0; }");
        assertThat(cells.run("Bad.x").error()).contains("/ by zero");
        assertThat(cells.run("Bad.x").error()).contains("Could not initialize class Bad");
    }

    @Test
    void statementsThatFollowOneAnotherFailWhereTheyFail() {
        cells.run("int a = 0; int[] b = {0};");
        var ran = cells.run("a = 1;\nb[0]++;\nb[a] = 2;\na = 3;");
        assertThat(ran.error()).contains("ArrayIndexOutOfBounds").containsPattern("cell \\d+:3");
        assertThat(cells.run("a + b[0]").result()).isEqualTo("2");
        var broken = cells.run("a = 5;\nb[0] = nosuch;\na = 6;");
        assertThat(broken.error()).contains("nosuch").containsPattern("cell \\d+:2:8");
        assertThat(cells.run("a").result()).isEqualTo("5");
        assertThat(cells.run("a = 7;\nif (a > 0) { a = 8; }\nwhile (true) { break; }").result())
                .isEmpty();
        assertThat(cells.run("a = 9;\na = 10;\na;").result()).isEqualTo("10");
        assertThat(cells.run("a = 1;\nthrow new IllegalStateException(\"x\");").error())
                .containsPattern("cell \\d+:2");
    }
}
