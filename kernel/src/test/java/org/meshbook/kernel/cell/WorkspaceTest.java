package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Declaration.Kind;
import org.meshbook.kernel.spi.Workspace.Entry;
import org.meshbook.kernel.spi.Workspace.Variable;

@Tag("jshell")
@Timeout(120)
class WorkspaceTest {
    private final Grab grab = new Grab();
    private final Cells cells = new Cells(new Magical(grab));

    @TempDir private Path folder;

    @AfterEach
    void close() {
        cells.close();
    }

    private record Magical(Magic magic) implements Extension {
        @Override
        public List<Magic> magics() {
            return List.of(magic);
        }

        @Override
        public List<String> startup() {
            return List.of("int seven = 7;", "import java.util.zip.CRC32;");
        }
    }

    /// Hands the workspace out.
    private static final class Grab implements Magic {
        private @Nullable Workspace workspace;

        @Override
        public String name() {
            return "grab";
        }

        @Override
        public String help() {
            return "Grabs.";
        }

        @Override
        public @Nullable Object run(Call call, Cell cell) {
            workspace = cell.workspace();
            return null;
        }
    }

    private Workspace workspace() {
        if (grab.workspace == null) {
            assertThat(cells.run("%grab").ok()).isTrue();
        }
        return Objects.requireNonNull(grab.workspace);
    }

    private @Nullable Object value(String name) {
        var found = workspace().variables().stream().filter(v -> v.name().equals(name)).toList();
        assertThat(found).hasSize(1);
        return found.getFirst().value();
    }

    @Test
    void variablesCarryTheirLiveValues() {
        cells.run("int n = 41; var list = new ArrayList<String>(); String none;");
        cells.run("n++; list.add(\"a\");");
        assertThat(value("n")).isEqualTo(42);
        assertThat(value("list")).isEqualTo(List.of("a"));
        assertThat(value("none")).isEqualTo(null);
        assertThat(workspace().variables())
                .extracting(Variable::name, v -> v.type().replaceFirst("^java.util.", ""))
                .contains(tuple("list", "ArrayList<String>"), tuple("none", "String"));
    }

    @Test
    void aValueIsReadEvenIfItsToStringNeverReturns() {
        cells.run("class Rude { public String toString() { while (true) { } } }");
        cells.run("var rude = new Rude();");
        assertThat(value("rude")).isNotNull();
    }

    @Test
    void redeclaredVariablesAreThereOnceWithTheNewValue() {
        cells.run("int x = 1;");
        cells.run("String x = \"now text\";");
        assertThat(value("x")).isEqualTo("now text");
        cells.run("int x = 5;");
        assertThat(value("x")).isEqualTo(5);
    }

    @Test
    void aVariableOfAChangedTypeIsReadFromItsNewHolder() {
        cells.run("class Car { int wheels = 4; int twice() { return 2 * wheels; } }");
        cells.run("int[] kept = {1, 2}; Car car = new Car();");
        cells.run("class Car { int wheels = 4; String name; }");
        assertThat(value("kept")).isEqualTo(new int[] {1, 2});
        assertThat(value("car")).isNull();
        cells.run("car = new Car();");
        assertThat(value("car")).isNotNull();
    }

    @Test
    void declarationsComeAsTypedWithoutWhatIsSuperseded() {
        cells.run("import java.util.concurrent.atomic.*;");
        cells.run("int a = 1, b = 2;\nint twice(int i) {\n    return 2 * i;\n}");
        cells.run("record P(int x) {}");
        cells.run("int twice(int i) { return i + i; }");
        cells.run("a = twice(b); a");
        cells.run("int broken = \"no\";");
        cells.run("throw new IllegalStateException();");
        assertThat(workspace().declarations())
                .extracting(Declaration::kind, Declaration::name, Declaration::source)
                .startsWith(
                        tuple(
                                Kind.IMPORT,
                                "java.util.concurrent.atomic.*",
                                "import java.util.concurrent.atomic.*;"),
                        tuple(Kind.VARIABLE, "a", "int a = 1, b = 2;"),
                        tuple(Kind.TYPE, "P", "record P(int x) {}"),
                        tuple(Kind.METHOD, "twice", "int twice(int i) { return i + i; }"),
                        tuple(Kind.STATEMENT, "", "a = twice(b);"),
                        tuple(Kind.STATEMENT, "", "a"))
                .hasSize(6);
    }

    @Test
    void historyTellsHowCellsEnded() {
        cells.run("1 + 1");
        cells.run("1 / 0");
        cells.run("%grab");
        var past = workspace().history();
        assertThat(past).extracting(Entry::code).containsExactly("1 + 1", "1 / 0", "%grab");
        assertThat(past).extracting(Entry::number).containsExactly(1, 2, 3);
        assertThat(past).extracting(Entry::failed).containsExactly(false, true, false);
        assertThat(past).allMatch(entry -> entry.took().isPresent());
    }

    @Test
    void resetForgetsWhatCellsMadeAndKeepsWhatEachCellHas() {
        cells.run("import java.net.http.*; import java.util.zip.CRC32;");
        cells.run("int n = 1; int seven = 8; int f() { return n; } class T { } var t = new T();");
        assertThat(cells.run("n").result()).isEqualTo("1");
        cells.run("class CRC32 { }");
        workspace().reset();
        assertThat(cells.run("n").error()).contains("cannot find symbol");
        assertThat(cells.run("f()").error()).contains("cannot find symbol");
        assertThat(cells.run("new T()").error()).contains("cannot find symbol");
        assertThat(cells.run("HttpClient.newHttpClient()").error()).contains("cannot find symbol");
        assertThat(cells.run("new CRC32().getValue()").result()).isEqualTo("0");
        assertThat(cells.run("seven").result()).isEqualTo("7");
        assertThat(workspace().declarations()).extracting(Declaration::name).containsOnly("");
        assertThat(cells.run("int n = 5; n").result()).isEqualTo("5");
    }

    @Test
    void theSameDeclarationsCanBeMadeAnewAfterAReset() {
        for (var i = 0; i < 3; i++) {
            cells.run("class Pair { int a = 1; } var list = List.of(1, 2); var p = new Pair();");
            assertThat(cells.run("list.size() + p.a").result()).isEqualTo("3");
            assertThat(value("list")).isEqualTo(List.of(1, 2));
            workspace().reset();
            assertThat(cells.run("new Pair()").error())
                    .contains("cannot find symbol; symbol: class Pair")
                    .doesNotContain("forgot");
        }
    }

    @Test
    void resetLetsGoOfWhatVariablesHeld() throws InterruptedException {
        cells.run("var big = new byte[1_000_000];");
        var held = new WeakReference<>(value("big"));
        workspace().reset();
        cells.run("1");
        for (var i = 0; i < 50 && held.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(held.get()).isNull();
    }

    @Test
    void anAddedJarIsSeenEverywhere() throws IOException {
        var jar = jar("package shop; public class Shop { public int price() { return 3; } }");
        workspace().addToClassPath(List.of(jar));
        workspace().addToClassPath(List.of(jar));
        assertThat(cells.run("import shop.*; new Shop().price()").result()).isEqualTo("3");
        var context = "Thread.currentThread().getContextClassLoader()";
        assertThat(cells.run(context + ".loadClass(\"shop.Shop\") == Shop.class").result())
                .isEqualTo("true");
        var text = "new String(%s.getResourceAsStream(\"note.txt\").readAllBytes())";
        assertThat(cells.run(text.formatted(context)).result()).isEqualTo("hello");
        assertThat(System.getProperty("java.class.path").split(File.pathSeparator))
                .containsOnlyOnce(jar.toString());
        assertThat(workspace().classPath()).endsWith(jar).containsOnlyOnce(jar);
        assertThat(workspace().complete("new Shop().pr")).containsExactly("Shop().price()");
    }

    @Test
    void aMissingJarAddsNothing() {
        var before = workspace().classPath();
        var more = List.of(folder, folder.resolve("no.jar"));
        assertThatThrownBy(() -> workspace().addToClassPath(more))
                .hasMessageContaining("there is no jar or folder")
                .hasMessageContaining("no.jar");
        assertThat(workspace().classPath()).isEqualTo(before);
    }

    @Test
    void namesAndExpressionsAreDocumented() {
        assertThat(workspace().document("Math.max").orElse("")).contains("Math.max(int a, int b)");
        assertThat(workspace().document("noSuchThing")).isEmpty();
    }

    @Test
    void completionsAreWholeWords() {
        cells.run("var text = \"abc\";");
        assertThat(workspace().complete("1 + text.isBl")).containsExactly("text.isBlank()");
    }

    /// A jar with one class and the text `note.txt`.
    private Path jar(String source) throws IOException {
        var classes = Files.createDirectories(folder.resolve("classes"));
        var options = List.of("-d", classes.toString(), "-proc:none");
        var compiler = ToolProvider.getSystemJavaCompiler();
        var task = compiler.getTask(null, null, null, options, null, List.of(new Unit(source)));
        assertThat(task.call()).isTrue();
        Files.writeString(classes.resolve("note.txt"), "hello");
        var jar = folder.resolve("shop.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                var files = Files.walk(classes)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    private static final class Unit extends SimpleJavaFileObject {
        private final String source;

        Unit(String source) {
            super(URI.create("string:///Shop.java"), JavaFileObject.Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignore) {
            return source;
        }
    }
}
