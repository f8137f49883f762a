package org.meshbook.magics.daily;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.magics.MeshbookExtension;

/// Each magic of daily work on a real engine.
@Timeout(120)
class DailyTest {
    private static final String HOME = System.getProperty("user.dir");
    private static Session session;

    @TempDir private Path folder;

    @BeforeAll
    static void open() {
        session = new Session(List.<Extension>of(new MeshbookExtension()));
    }

    @AfterAll
    static void close() {
        session.close();
        System.setProperty("user.dir", HOME);
    }

    @BeforeEach
    void moveToFolder() {
        System.setProperty("user.dir", folder.toString());
        assertThat(session.run("%reset -f").error()).isEmpty();
        session.answers("");
    }

    private static Session.Ran run(String code) {
        var ran = session.run(code);
        assertThat(ran.error()).isEmpty();
        return ran;
    }

    @Test
    void timeShowsTheValueAndSaysWhatTheRunTook() {
        var ran = run("%time IntStream.range(0, 1_000).sum()");
        assertThat(ran.result()).isEqualTo("499500");
        assertThat(ran.out())
                .containsPattern("^ran [\\d.]+ .?s, CPU [\\d.]+ .?s, allocated \\d.* more\n$");
        run("%%time\nint total = 0;\nfor (int i = 0; i < 10; i++) total += i;");
        assertThat(run("total").result()).isEqualTo("45");
    }

    @Test
    void timeCountsTheRunButNotItsCompilation() {
        var out = run("%time Thread.sleep(60)").out();
        var millis = Double.parseDouble(out.replaceAll("(?s)^ran ([\\d.]+) ms.*", "$1"));
        assertThat(millis).isBetween(60.0, 600.0);
        assertThat(out).containsPattern("CPU [\\d.]+ (µs|ns|ms)");
    }

    @Test
    void errorsOfTimedCodeStandAtTheirPlaceInTheCell() {
        assertThat(session.run("%%time\nint ok = 1;\nint no = \"s\";").trace())
                .anyMatch(line -> line.matches(".*cell \\d+:3:10"));
        assertThat(session.run("%%timeit\nMath.abs(1);\nno.such();").trace())
                .anyMatch(line -> line.matches(".*cell \\d+:3:1"));
        assertThat(session.run("%timeit nothing + 1").trace())
                .anyMatch(line -> line.matches(".*cell \\d+:1:9"));
        assertThat(session.run("%%timeit int x = \"s\";\nx++").trace())
                .anyMatch(line -> line.matches(".*cell \\d+:1:18"));
        assertThat(session.run("int z = 0;\n%timeit -n 2 1 / z").error())
                .startsWith("ArithmeticException");
    }

    @Test
    void timeitMeasuresACompiledLoop() {
        run("double x = 3;");
        var sqrt = run("%timeit -r 3 Math.sqrt(x)").out();
        assertThat(sqrt)
                .containsPattern("best [\\d.]+ ns, mean .* a turn \\(3 runs of [\\d,]+ turns\\)");
        var sleep = run("%timeit -n 2 -r 2 Thread.sleep(10)").out();
        assertThat(sleep).contains("best 10").contains("ms");
        run("%%timeit -n 10 -r 2 var list = new ArrayList<Integer>();\nlist.add(1); list.add(2);");
        assertThat(session.run("list").error()).contains("cannot find symbol");
    }

    @Test
    void timeitDoesNotReportThatWorkCostsNothing() {
        run("int[] data = IntStream.range(0, 10_000).toArray();");
        var out = run("%timeit -r 3 Arrays.stream(data).sum()").out();
        assertThat(out).containsPattern("best [\\d.]+ µs");
    }

    @Test
    void interruptEndsTimeit() throws Exception {
        assertStops("%timeit -r 1000 Math.sqrt(System.nanoTime())");
    }

    @Test
    void whoListsVariablesByNameAndType() {
        run(
                "int n = 3; var list = List.of(1, 2); String text = \"a\\n"
                        + "b\"; int[] big = new int[100];");
        assertThat(run("%who").shown().lines().skip(2))
                .containsExactly(
                        "n     int            3",
                        "list  List<Integer>  [1, 2]                       2 items",
                        "text  String         \"a…                          3 chars",
                        "big   int[]          [0, 0, 0, 0, 0, 0, 0, 0, …]  100 items");
        assertThat(run("%vars l*").shown().lines().skip(2))
                .singleElement()
                .asString()
                .startsWith("list");
        assertThat(run("%who --type List").shown().lines().skip(2)).hasSize(1);
        assertThat(run("%who zz*").out()).isEqualTo("none of the 4 variables match\n");
        assertThat(session.complete("%who te")).containsExactly("text");
    }

    @Test
    void resetAsksWhereSomebodyCanBeAsked() {
        run("int n = 1;");
        assertThat(session.run("%reset").error())
                .isEqualTo("UsageError: nobody can be asked here; %reset -f does not ask");
        session.answers("no");
        assertThat(run("%reset").out()).isEqualTo("nothing was forgotten\n");
        assertThat(run("n").result()).isEqualTo("1");
        session.answers("y");
        assertThat(run("%reset").out()).isEqualTo("forgot 1 declaration\n");
        assertThat(session.run("n").error()).contains("cannot find symbol");
    }

    @Test
    void processesSeeWhatEnvSets() {
        assertThat(run("%env MESH_NAME=a b").out()).startsWith("MESH_NAME=a b, for processes");
        assertThat(run("%sh echo \"<$MESH_NAME>\"").out()).isEqualTo("<a b>\n");
        assertThat(run("%env MESH_NAME").out()).isEqualTo("a b\n");
        assertThat(run("%env MY_API_TOKEN=s3cret").out()).doesNotContain("s3cret");
        run("%env MESH_PROXY=http://me:s3cret@host:80/");
        assertThat(run("%env").shown())
                .contains("MESH_NAME", "http://me:")
                .doesNotContain("s3cret");
        run("%env MESH_NAME=");
        assertThat(run("%sh echo \"<$MESH_NAME>\"").out()).isEqualTo("<>\n");
        assertThat(session.run("%env PAHT").error()).endsWith("did you mean PATH?; %env lists all");
    }

    @Test
    void folderHoldsForShellAndFiles() {
        run("%sh mkdir data");
        assertThat(run("%cd data").out()).isEqualTo(folder.resolve("data") + "\n");
        run("%%writefile notes.txt\nhello");
        assertThat(folder.resolve("data/notes.txt")).hasContent("hello\n");
        assertThat(run("%sh pwd; cat notes.txt").out()).endsWith("data\nhello\n");
        run("%cd -");
        assertThat(run("%pwd").out()).isEqualTo(folder + "\n");
        assertThat(session.run("%cd dtaa").error())
                .contains("there is no folder", "did you mean data?");
        assertThat(session.complete("%cd da")).containsExactly("data/");
    }

    @Test
    void writtenFilesAreNewReplacedOrAddedTo() throws IOException {
        assertThat(run("%%writefile a.txt\none\ntwo").out())
                .isEqualTo("wrote 8 bytes to %s%n".formatted(folder.resolve("a.txt")));
        assertThat(run("%%writefile -a a.txt\nthree").out()).contains("added 6 bytes", "now 14");
        assertThat(run("%%writefile a.txt\nfour").out()).contains("which had 14");
        assertThat(folder.resolve("a.txt")).hasContent("four\n");
        assertThat(session.run("%%writefile no/b.txt\nx").error()).contains("there is no folder");
        run("%%writefile -p no/b.txt\nx");
        assertThat(folder.resolve("no/b.txt")).hasContent("x\n");
        assertThat(session.run("%%writefile no\nx").error()).contains("is a folder");
        try (var left = Files.list(folder)) {
            assertThat(left.map(p -> p.getFileName().toString()))
                    .containsExactlyInAnyOrder("a.txt", "no");
        }
    }

    @Test
    void shellStreamsBothOutputsAndTellsItsExitCode() {
        var ran = session.run("%%bash\necho out\necho err >&2\nexit 3");
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat(ran.err()).isEqualTo("err\n");
        assertThat(ran.error()).isEqualTo("UsageError: %bash: the script ended with exit code 3");
        assertThat(run("%bash --no-raise exit 4").err()).contains("exit code 4");
        assertThat(run("%bash --out files echo a; echo b\nfiles.lines().toList()").result())
                .isEqualTo("[a, b]");
        assertThat(run("%bash cat").out()).isEmpty();
        assertThat(session.run("%bash kill -9 $$").error()).contains("signal 9");
        assertThat(session.run("%bash --out 1x echo").error()).contains("'1x' cannot be the name");
    }

    @Test
    void shellOutputKeepsItsCharactersWhole() {
        var ran = run("%%bash\nfor i in $(seq 1 2000); do printf 'é€😀'; done");
        assertThat(ran.out()).isEqualTo("é€😀".repeat(2000));
    }

    @Test
    void interruptEndsAScriptAndAllThatItStarted() throws Exception {
        var mark = "7" + System.nanoTime() % 1_000_000_000L;
        assertStops("%%bash\ntrap '' TERM\nsleep " + mark + " &\nsleep " + mark);
        var gone = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (sleeping(mark) && System.nanoTime() < gone) {
            Thread.onSpinWait();
        }
        assertThat(sleeping(mark)).isFalse();
    }

    private static boolean sleeping(String mark) {
        return ProcessHandle.allProcesses()
                .anyMatch(p -> p.info().commandLine().orElse("").endsWith("sleep " + mark));
    }

    /// Runs a cell, interrupts it once it runs, and expects it to end.
    private static void assertStops(String code) throws Exception {
        var task = session.task(code, session.new Recorder());
        var running = new FutureTask<>(task::run);
        var thread = Thread.ofPlatform().start(running);
        Thread.sleep(400);
        assertThat(running.isDone()).isFalse();
        task.interrupt();
        assertThat(running.get().toString()).contains("KeyboardInterrupt");
        thread.join();
        assertThat(run("1 + 1").result()).isEqualTo("2");
    }

    @ParameterizedTest(name = "%%{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    html       | text/html              | <b>x</b>
                    svg        | image/svg+xml          | <svg></svg>
                    markdown   | text/markdown          | **x**
                    latex      | text/latex             | $x$
                    javascript | application/javascript | alert(1)
                    json       | application/json       | {"a": [1]}
                    """)
    void cellIsShownAsWhatItIs(String name, String mime, String text) {
        var shown = run("%%" + name + "\n" + text).output().displays.getFirst().bundle();
        assertThat(shown).containsKey(mime).containsEntry("text/plain", text);
        assertThat(String.valueOf(shown.get(mime)))
                .isEqualTo(name.equals("json") ? "{a=[1]}" : text);
    }

    @Test
    void brokenJsonIsToldAtItsPlace() {
        assertThat(session.run("%%json\n{\"a\":\n  1,,}").error())
                .startsWith("UsageError: %%json: line 2, column");
    }

    @Test
    void documentationIsFoundByNameAndByQuestionMark() {
        run("/** Twice. */ int twice(int i) { return 2 * i; }\nvar list = List.of(1, 2);");
        assertThat(run("%javadoc Math.max").out()).contains("int Math.max(int a, int b)");
        assertThat(run("%pinfo list").out()).startsWith("List<Integer> list = [1, 2]   (2 items)");
        assertThat(run("list?").out()).startsWith("List<Integer> list");
        assertThat(run("twice?").out()).contains("int twice(int i) { return 2 * i; }");
        assertThat(run("int q = 1;\nMath.max?").out()).contains("Math.max(int a, int b)");
        assertThat(run("boolean b = true;\nb ?\n1 : 2").result()).isEqualTo("1");
        assertThat(run("b?\n\"1\"\n:\"2\"").result()).isEqualTo("1");
        assertThat(session.run("%javadoc lisst").error()).contains("did you mean list?");
    }

    @Test
    void historyAndRerunNameCellsByNumber() {
        run("int counted = 0;");
        var number = Integer.parseInt(run("%history -n 1").out().strip().split(" ")[0]);
        run("counted += 5;");
        run("%rerun " + (number + 2));
        assertThat(run("counted").result()).isEqualTo("10");
        assertThat(run("%history -g counted -n 2").out()).contains("counted += 5;", "counted");
        assertThat(run("%history -l -n 1").out()).containsPattern("# [\\d.]+ .?s");
        assertThat(session.run("%rerun 99999").error()).contains("no cell 99999 was run");
        assertThat(session.run("%rerun x").error()).contains("does not understand 'x'");
    }

    @Test
    void importsOfTheSessionAreListed() {
        run("import java.net.http.*;");
        assertThat(run("%imports").out()).isEqualTo("import java.net.http.*;\n");
        assertThat(run("%imports --all").out()).contains("import module java.base;");
    }

    @Test
    void memoryIsShownAndCollected() {
        assertThat(run("%memory").shown()).contains("heap", "classes", "whole process");
        assertThat(run("%gc").out()).containsPattern("^[\\d.]+ MiB held, .* freed, in ");
    }

    @Test
    void savedClassDoesWhatTheSessionDid() throws Exception {
        run("import java.util.function.*;");
        run("int[] data = {3, 1, 2}; var sorted = Arrays.stream(data).sorted().boxed().toList();");
        run("record Point(int x, int y) { int sum() { return x + y; } }");
        run("int twice(int i) {\n    return 2 * i;\n}");
        run("var p = new Point(1, 2); int sum = 0;\nfor (int i : data) sum += twice(i);");
        run("Function<Integer, Integer> f = i -> i + 1;\nfinal int six = f.apply(5);");
        run("System.out.println(sum + \" \" + p.sum() + \" \" + sorted + \" \" + six)");
        run("sum");
        assertThat(run("%save Work.java").err()).isEmpty();
        var classes = Files.createDirectories(folder.resolve("classes"));
        var compiled =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                folder.resolve("Work.java").toString());
        assertThat(compiled).isZero();
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path = classes + ":" + System.getProperty("java.class.path");
        assertThat(run("%sh --out printed " + java + " -cp " + path + " Work\nprinted").result())
                .isEqualTo("12 3 [1, 2, 3] 6\n12");
    }

    @Test
    void savedSessionsCanBeRunAgain() throws IOException {
        run("int kept = 4;");
        run("kept += 1;");
        run("int broken = ;".replace("broken = ", "ok = 1"));
        assertThat(run("%save s.jsh").out()).contains("snippets to");
        assertThat(folder.resolve("s.jsh")).content().contains("int kept = 4;", "kept += 1;");
        assertThat(session.run("%save s.jsh").error()).endsWith("is there; -f replaces it");
        run("%save -f s.ipynb");
        assertThat(folder.resolve("s.ipynb"))
                .content()
                .contains("\"nbformat\" : 4", "int kept = 4;");
        assertThat(session.run("%save s.txt").error()).contains("ends with none of");
        assertThat(session.run("%save 1x.java").error()).contains("cannot be the name of a class");
    }

    @Test
    void quickReferenceFitsOnOnePage() {
        assertThat(run("%quickref").out().lines().count()).isLessThan(60);
    }
}
