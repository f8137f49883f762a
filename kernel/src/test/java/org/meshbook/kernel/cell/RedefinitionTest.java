package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.jshell.Agent;

/// Redefinition needs the VM's instrumentation, which a jar gets that names the agent in its
/// manifest: so the cells run in a child process. Its class path is in the manifest as well, as in
/// the kernel's own jar.
@Tag("jshell")
@Timeout(180)
class RedefinitionTest {
    @TempDir private Path folder;

    @Test
    void changedBodiesKeepObjectsAndStatics() throws Exception {
        assertThat(
                        cells(
                                "class Box { static int made; int n() { return ++made; } }",
                                "Box b = new Box(); b.n()",
                                "class Box { static int made; int n() { return made += 10; } }",
                                "b.n()"))
                .containsExactly("", "1", "", "11");
    }

    @Test
    void changedShapeResetsOnlyWhatItMust() throws Exception {
        var lines =
                cells(
                        "class Box { int n = 1; }",
                        "Box b = new Box(); int other = b.n; List<Box> all = new"
                                + " ArrayList<>(List.of(b));",
                        "class Box { int n = 2; int m; }",
                        "other",
                        "b");
        assertThat(lines.get(2)).contains("b was reset").doesNotContain("other");
        assertThat(lines.subList(3, 5)).containsExactly("1", "null");
    }

    @Test
    void redefinedCodeStopsAtItsChecks() throws Exception {
        assertThat(
                        cells(
                                "void leave() { }",
                                "void leave() { System.exit(7); }",
                                "try { leave(); } catch (Error e) { System.err.print(\"trapped\");"
                                        + " }",
                                "org.junit.jupiter.api.Test.class.getSimpleName()"))
                .containsExactly("", "", "trapped", "Test");
    }

    @Test
    void aLibraryThatACellCallsCannotEndTheProcess() throws Exception {
        var lines =
                cells(
                        "System.class.getMethod(\"exit\", int.class).invoke(null, 3);",
                        "var t = new Thread(() -> { try { Runtime.class.getMethod(\"halt\","
                                + " int.class).invoke(Runtime.getRuntime(), 3); } catch (Exception e) {"
                                + " } }); t.start(); t.join();",
                        "1 + 1");
        assertThat(lines.getLast()).isEqualTo("2");
    }

    @Test
    void aChangedSignatureSaysWhatStaysAndWhatNoLongerCompiles() throws Exception {
        var lines =
                cells(
                        "int sig(int a) { return a; } int caller() { return sig(3); }",
                        "int sig(String a) { return 9; }",
                        "long sig(int a) { return 7L; }",
                        "caller()");
        assertThat(lines.get(1)).contains("sig(String) is declared beside sig(int), which stays");
        assertThat(lines.get(2)).contains("caller is not defined any more");
        assertThat(lines.get(3)).contains("caller is not defined any more");
    }

    @Test
    void recordsEnumsAndSealedTypesKeepTheirObjectsWhenBodiesChange() throws Exception {
        assertThat(
                        cells(
                                "record P(int x) { int twice() { return 2 * x; } } P p = new P(4);",
                                "record P(int x) { int twice() { return 20 * x; } }",
                                "enum E { A, B; int w() { return 1; } } E e = E.B;",
                                "enum E { A, B; int w() { return 2; } }",
                                "sealed interface T permits T1 { } record T1(int a) implements T {"
                                        + " int z() { return a; } } T1 t = new T1(5);",
                                "record T1(int a) implements T { int z() { return a * 10; } }",
                                "p.twice() + e.w() + t.z()"))
                .last()
                .isEqualTo("132");
    }

    @Test
    void aVariableWhoseInitializerNoLongerCompilesIsExplained() throws Exception {
        var lines = cells("record P(int x) { } P p = new P(4);", "record P(int x, int y) { }", "p");
        assertThat(lines.get(1)).contains("p is not defined any more");
        assertThat(lines.get(2)).contains("p is not defined any more");
    }

    private List<String> cells(String... code) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-jar", jar().toString()));
        command.addAll(Arrays.asList(code));
        var out = folder.resolve("out.txt");
        var err = folder.resolve("err.txt");
        var process =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ends in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(err).as("nothing on stderr").isEmptyFile();
        return Files.readAllLines(out);
    }

    private Path jar() throws IOException {
        var manifest = new Manifest();
        var main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, ChildCells.class.getName());
        main.put(new Attributes.Name("Launcher-Agent-Class"), Agent.class.getName());
        main.put(new Attributes.Name("Can-Redefine-Classes"), "true");
        main.put(
                Attributes.Name.CLASS_PATH,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        var jar = folder.resolve("cells.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
