package org.meshbook.kernel.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.cell.ScriptedEngine;
import org.meshbook.kernel.history.History;

class ConsoleTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int run(String typed, boolean person) throws IOException {
        var in = new BufferedReader(new StringReader(typed));
        var out = new PrintStream(printed, true, UTF_8);
        var engine = new ScriptedEngine();
        var front = new PlainFront(engine, in, out, new Looks(person, 0, 80));
        return new Console(engine, front, History.none().begin()).run();
    }

    private String screen() {
        return printed.toString(UTF_8);
    }

    @Test
    void resultsAreShownBelowWhatIsTyped() throws IOException {
        assertThat(run("result 42\nput half\n", true)).isZero();
        assertThat(screen()).isEqualTo("In [1]: Out[1]: 42\nIn [2]: halfIn [3]: \n");
    }

    @Test
    void anIncompleteCellGoesOnUntilItIsComplete() throws IOException {
        run("result {\n} done\n", false);
        assertThat(screen()).isEqualTo("Out[1]: {\n");
    }

    @Test
    void anEmptyLineEndsAnIncompleteCell() throws IOException {
        run("result {\n\n", false);
        assertThat(screen()).isEqualTo("Out[1]: {\n");
    }

    @Test
    void withoutAPersonTheFirstFailureEndsIt() throws IOException {
        assertThat(run("fail Boom\nresult 1\n", false)).isEqualTo(1);
        assertThat(screen()).isEqualTo("Boom: as asked\n");
    }

    @Test
    void aPersonGoesOnAfterAFailureAndLeavesByExit() throws IOException {
        assertThat(run("fail Boom\nexit\nresult 1\n", true)).isZero();
        assertThat(screen()).doesNotContain("Out[");
    }

    @Test
    void aCellReadsFromTheSameInput() throws IOException {
        run("ask name?\nAnn\n", false);
        assertThat(screen()).isEqualTo("name?Ann\n");
    }
}
