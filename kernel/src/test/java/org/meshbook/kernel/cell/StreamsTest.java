package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("jshell")
@Timeout(120)
class StreamsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @Test
    void keepsTheStreamsApartAndInOrder() {
        var ran =
                cells.run(
                        "System.out.print(\"a\"); System.err.print(\"b\");"
                                + " System.out.println(\"c\");");
        assertThat(ran.output().out()).isEqualTo("ac\n");
        assertThat(ran.output().err()).isEqualTo("b");
    }

    @Test
    void keepsCharactersWholeHoweverTheyAreWritten() {
        assertThat(cells.run("System.out.print(\"ž🐎日\");").output().out()).isEqualTo("ž🐎日");
        var ran =
                cells.run(
                        "for (byte b : \"ž🐎日\".getBytes(\"UTF-8\")) { System.out.write(b);"
                                + " System.out.flush(); }");
        assertThat(ran.output().out()).isEqualTo("ž🐎日");
    }

    @Test
    void keepsCarriageReturns() {
        assertThat(cells.run("System.out.print(\"10%\\r20%\\r\");").output().out())
                .isEqualTo("10%\r20%\r");
    }

    @Test
    void keepsEveryOfManyLines() {
        var ran = cells.run("for (int i = 0; i < 100_000; i++) System.out.println(i);");
        assertThat(ran.output().out().lines().count()).isEqualTo(100_000);
        assertThat(ran.output().out()).endsWith("\n99998\n99999\n");
    }

    @Test
    void outputOfAThreadGoesToTheCellThatStartedIt() {
        var first =
                cells.run(
                        """
                        var go = new CountDownLatch(1);
                        new Thread(() -> {
                            try { go.await(); } catch (InterruptedException e) { }
                            System.out.print("late");
                        }).start();
                        """);
        var second = cells.run("System.out.print(\"second\"); go.countDown();");
        await().dontCatchUncaughtExceptions()
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(first.output().out()).isEqualTo("late"));
        assertThat(second.output().out()).isEqualTo("second");
    }

    @Test
    void failureOfAThreadNamesItsLine() {
        var ran =
                cells.run(
                        """
                        var failing = new Thread(() -> {
                            throw new IllegalStateException("alone");
                        }, "mine");
                        failing.start();
                        failing.join();
                        """);
        await().dontCatchUncaughtExceptions()
                .atMost(LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(ran.output().err())
                                        .contains("thread \"mine\"", "alone")
                                        .containsPattern("at lambda \\(cell \\d+:2\\)"));
    }

    @Test
    void showsLogging() {
        var ran = cells.run("java.util.logging.Logger.getLogger(\"demo\").info(\"hello-log\");");
        assertThat(ran.output().err()).contains("hello-log");
    }

    @Test
    void logsOfEachKindAreOneLine() {
        var ran =
                cells.run(
                        """
                        java.util.logging.Logger.getLogger("demo1").warning("first");
                        System.getLogger("demo2").log(System.Logger.Level.INFO, "second {0}", 2);
                        java.util.logging.Logger.getLogger("demo3").fine("hidden");
                        """);
        assertThat(ran.output().err())
                .matches("[\\d:]{8} WARNING demo1: first\n[\\d:]{8} INFO demo2: second 2\n");
    }

    @Test
    void loggedFailureShowsTheLinesOfCells() {
        var ran =
                cells.run(
                        "java.util.logging.Logger.getLogger(\"d\").log(java.util.logging.Level.SEVERE,"
                                + " \"it\", new IOException(\"x\"));");
        assertThat(ran.output().err())
                .containsPattern("SEVERE d: it\n +.*IOException.*: x\n +at cell \\d+:1")
                .doesNotContain("org.meshbook");
    }

    @Test
    void printedStackTraceShowsTheLinesOfCells() {
        var ran =
                cells.run(
                        "void fail7() { throw new IllegalStateException(\"x\"); }\n"
                                + "try { fail7(); } catch (Exception e) { e.printStackTrace();"
                                + " e.printStackTrace(System.out); }");
        for (var text : new String[] {ran.output().err(), ran.output().out()}) {
            assertThat(text)
                    .matches(
                            "(?s)java.lang.IllegalStateException: x\n"
                                    + "\tat fail7 \\(cell \\d+:1\\).*\n"
                                    + "\tat cell \\d+:2.*")
                    .doesNotContain("org.meshbook", "REPL", "java.base");
        }
    }

    @Test
    void capturingTheStreamWorksAndIsNotForgotten() {
        var ran =
                cells.run(
                        "var buffer8 = new ByteArrayOutputStream();\n"
                                + "System.setOut(new PrintStream(buffer8));\n"
                                + "System.out.print(\"caught\");\n"
                                + "buffer8.toString()");
        assertThat(ran.result()).isEqualTo("caught");
        assertThat(ran.output().err()).contains("System.out was set elsewhere by this cell");
        assertThat(cells.run("System.out.print(\"seen\");").output().out()).isEqualTo("seen");
    }

    @Test
    void captureThatIsGivenBackNeedsNoWord() {
        var ran =
                cells.run(
                        "var old8 = System.out;\n"
                                + "System.setOut(new PrintStream(new ByteArrayOutputStream()));\n"
                                + "System.setOut(old8);\n"
                                + "System.out.print(\"seen\");");
        assertThat(ran.output().out()).isEqualTo("seen");
        assertThat(ran.output().err()).isEmpty();
    }

    @Test
    void javaLangIoReadsAndPrints() {
        var ran =
                cells.run(
                        "IO.println(\"hi\");\nIO.readln(\"name? \") + IO.readln()",
                        new Recorded("žofie", "日本"));
        assertThat(ran.output().out()).isEqualTo("hi\nname? ");
        assertThat(ran.result()).isEqualTo("žofie日本");
    }

    @Test
    void readerOfOneCellServesTheNext() {
        cells.run("var in8 = new BufferedReader(new InputStreamReader(System.in));");
        assertThat(cells.run("in8.readLine()", new Recorded("one", "never")).result())
                .isEqualTo("one");
        assertThat(cells.run("in8.readLine()", new Recorded("two")).result()).isEqualTo("two");
    }

    @Test
    void asksForEachLineThatIsRead() {
        var ran =
                cells.run(
                        "var in1 = new Scanner(System.in);\nin1.nextLine() + in1.nextInt()",
                        new Recorded("héllo ", "7"));
        assertThat(ran.result()).isEqualTo("héllo 7");
    }

    @Test
    void readingWhereNobodyCanBeAskedFails() {
        assertThat(cells.run("System.in.read()").error()).contains("IOException", "nobody");
    }
}
