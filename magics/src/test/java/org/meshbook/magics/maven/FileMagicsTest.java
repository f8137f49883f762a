package org.meshbook.magics.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `%jars`, `%classpath` and `%load`.
@Timeout(120)
class FileMagicsTest {
    @RegisterExtension private final MavenWorld world = new MavenWorld();

    private byte[] jar(String type) {
        return RepositoryServer.jar(
                Map.of("p/" + type, "package p; public class " + type + " {}"), Map.of());
    }

    private static String notebook(String language, String... sources) {
        var cells = new java.util.ArrayList<String>();
        for (var source : sources) {
            var kind = source.startsWith("# ") ? "markdown" : "code";
            var tags =
                    source.contains("//tag:")
                            ? "\"" + source.replaceFirst("(?s).*//tag:(\\S+).*", "$1") + "\""
                            : "";
            cells.add(
                    "{\"cell_type\":\"%s\",\"metadata\":{\"tags\":[%s]},\"source\":[\"%s\"]}"
                            .formatted(
                                    kind,
                                    tags,
                                    source.replace("\\", "\\\\")
                                            .replace("\"", "\\\"")
                                            .replace("\n", "\\n\",\"")));
        }
        return "{\"nbformat\":4,\"nbformat_minor\":4,\"metadata\":{\"kernelspec\":{\"language\":\"%s\"}},\"cells\":[%s]}"
                .formatted(language, String.join(",", cells));
    }

    @Test
    void jarsAreAddedByPatternAndTheirListIsTheValue() {
        world.write("lib/one.jar", jar("One"));
        world.write("lib/two.jar", jar("Two"));
        world.write("lib/deep/three.jar", jar("Three"));
        world.write("lib/note.txt", "x");
        var lib = world.folder().resolve("lib");
        var ran =
                world.run(
                        "List<String> added = %jars "
                                + lib
                                + "/*.jar\nadded.size() + \" \" + new p.One()");
        assertThat(ran.result()).startsWith("2 p.One");
        assertThat(world.run("%jars " + lib + "/**/*.jar").result()).contains("three.jar");
        assertThat(world.run("%jars " + lib).result()).isEqualTo("[]");
        assertThat(world.run("new p.Three() != null").result()).isEqualTo("true");
        assertThat(world.run("%%jars\n" + lib + "/one.jar\n\n").result()).isEqualTo("[]");
        assertThat(world.run("%jar " + lib + "/two.jar").error()).isEmpty();
        assertThat(world.run("%jars " + lib + "/tvo.jar").error())
                .contains("tvo.jar'; did you mean two.jar?");
        assertThat(world.run("%jars " + lib + "/*.zip").error())
                .contains("nothing matches '" + lib + "/*.zip'");
        assertThat(world.run("%jars").error()).contains("%jars needs files, as %jars lib/*.jar");
        assertThat(world.notebook().complete("%jars " + lib + "/o"))
                .containsExactly(lib + "/one.jar");
    }

    @Test
    @DisplayName("jjava#29: java.class.path is kept in step, with the right separator")
    void classPathPropertyIsKeptInStep() {
        world.write("classes/p/x.txt", "x");
        var classes = world.folder().resolve("classes");
        assertThat(world.run("%classpath " + classes).result()).isEqualTo("[" + classes + "]");
        assertThat(world.run("%classpath " + classes).result()).isEqualTo("[]");
        assertThat(
                        world.run(
                                        "List.of(System.getProperty(\"java.class.path\").split(File.pathSeparator)).contains(\""
                                                + classes
                                                + "\")")
                                .result())
                .isEqualTo("true");
        assertThat(world.run("%classpath").out()).contains(classes.toString());
        assertThat(world.run("%classpath " + classes + "\nint after = 1;\nafter").result())
                .isEqualTo("1");
        assertThat(world.run("%classpath /no/such/place").error())
                .contains("there is no '/no/such/place'");
    }

    @Test
    @DisplayName("rapaio#36: a notebook's code cells are run, and the failing one is named")
    void notebookIsRunAndItsFailingCellNamed() {
        var good =
                world.write(
                        "good.ipynb",
                        notebook("java", "# Title", "int a = 4;", "%classpath .", "a * 2"));
        assertThat(world.run("%load " + good).result()).isEqualTo("8");
        assertThat(world.run("%load " + good.toString().replace(".ipynb", "")).result())
                .isEqualTo("8");
        var bad =
                world.write(
                        "bad.ipynb", notebook("java", "int b = 1;", "# x", "b / 0", "int c = 1;"));
        var ran = world.run("%load " + bad);
        assertThat(ran.error())
                .isEqualTo("ArithmeticException: cell 2 of 3 in bad.ipynb: / by zero");
        assertThat(ran.trace()).anyMatch(l -> l.contains("b / 0"));
        assertThat(world.run("c").error()).contains("cannot find symbol");
        var typo = world.write("typo.ipynb", notebook("java", "int d = \"s\";"));
        assertThat(world.run("%load " + typo).error())
                .startsWith("CompileError: cell 1 of 1 in typo.ipynb: ");
        var unknown = world.write("unknown.ipynb", notebook("java", "%nosuch"));
        assertThat(world.run("%load " + unknown).error())
                .contains("cell 1 of 1 in unknown.ipynb: no magic named %nosuch");
    }

    @Test
    void tagsOfCellsAndOtherLanguagesAreRespected() {
        var tagged =
                world.write(
                        "tagged.ipynb",
                        notebook(
                                "java",
                                "int x = 1 / 0; //tag:raises-exception",
                                "int y = 1 / 0; //tag:skip-execution",
                                "5"));
        var ran = world.run("%load " + tagged);
        assertThat(ran.result()).isEqualTo("5");
        assertThat(ran.err()).contains("cell 1 of 2 in tagged.ipynb failed, as it may");
        var python = world.write("p.ipynb", notebook("python", "1"));
        assertThat(world.run("%load " + python).error())
                .contains("is a notebook in python; only Java can be loaded");
        assertThat(world.run("%load " + world.write("b.ipynb", "{\n\"cells\": [")).error())
                .contains("is no notebook: broken JSON at line 2");
    }

    @Test
    void sourcesAreRunWithTheirMagics() {
        world.write("sub/inner.jsh", "int inner = 7;");
        world.write(
                "sub/Outer.java",
                "%load inner\npublic class Outer { int get() { return inner; } }");
        assertThat(
                        world.run(
                                        "%load "
                                                + world.folder().resolve("sub/Outer.java")
                                                + "\nnew Outer().get()")
                                .result())
                .isEqualTo("7");
        var wrong = world.write("wrong.jsh", "int ok = 1;\nint no = \"s\";");
        assertThat(world.run("%load " + wrong).error()).startsWith("CompileError: in wrong.jsh: ");
        world.write("loop.jsh", "%load loop.jsh");
        assertThat(world.run("%load " + world.folder().resolve("loop.jsh")).error())
                .contains("loop.jsh' loads itself");
        assertThat(world.run("%load " + world.folder().resolve("sub/Iner.jsh")).error())
                .contains("did you mean inner.jsh?");
        assertThat(world.run("%load " + world.write("a.py", "1")).error())
                .contains("only .jsh, .jshell, .java, .jjava and .ipynb are");
        assertThat(world.run("%load").error()).contains("%load takes one file");
        assertThat(world.notebook().complete("%load " + world.folder() + "/sub/"))
                .containsExactly(
                        world.folder() + "/sub/Outer.java", world.folder() + "/sub/inner.jsh");
    }

    @Test
    void extensionInAnAddedJarBecomesActive() {
        var source =
                """
                package p;
                import java.util.*;
                import org.meshbook.kernel.spi.*;
                public class Ext implements Extension, Magic {
                    public List<Magic> magics() { return List.of(this); }
                    public List<String> startup() { return List.of("import java.util.zip.CRC32;"); }
                    public List<Renderer> renderers() {
                        return List.of(v -> v instanceof StringBuilder ? Optional.of(DisplayData.text("built")) : Optional.empty());
                    }
                    public String name() { return "fromjar"; }
                    public String help() { return "Comes from a jar."; }
                    public Object run(Call call, Cell cell) { return "from the jar " + call.arguments(); }
                }
                """;
        world.write(
                "ext.jar",
                RepositoryServer.jar(
                        Map.of("p/Ext", source),
                        Map.of("META-INF/services/org.meshbook.kernel.spi.Extension", "p.Ext\n")));
        world.write(
                "broken.jar",
                RepositoryServer.jar(
                        Map.of("p/Nothing", "package p; public class Nothing {}"),
                        Map.of("META-INF/services/org.meshbook.kernel.spi.Extension", "p.Gone\n")));
        assertThat(world.run("%fromjar 1").error()).contains("no magic named %fromjar");
        assertThat(world.run("%jars " + world.folder().resolve("broken.jar")).err())
                .contains("an extension of an added jar does not work", "p.Gone");
        world.run("%jars " + world.folder().resolve("ext.jar"));
        assertThat(world.run("%fromjar 1").result()).isEqualTo("from the jar 1");
        assertThat(world.run("new CRC32().getValue()").result()).isEqualTo("0");
        assertThat(world.run("new StringBuilder()").result()).isEqualTo("built");
        assertThat(world.notebook().complete("%fromj")).containsExactly("fromjar");
    }

    @Test
    void extensionMadeForJjavaIsInstalled() {
        var source =
                """
                package p;
                import org.dflib.jjava.jupyter.Extension;
                import org.dflib.jjava.jupyter.kernel.BaseKernel;
                import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;
                public class Lib implements Extension {
                    public record Money(int cents) {}
                    public void install(BaseKernel kernel) {
                        kernel.getRenderer().createRegistration(Money.class).preferring(MIMEType.TEXT_HTML)
                            .register((m, c) -> c.renderIfRequested(MIMEType.TEXT_HTML, () -> "<b>" + m.cents() + "</b>"));
                        kernel.getMagicsRegistry().registerLineMagic("money", (k, args) -> new Money(args.size()));
                    }
                }
                """;
        world.write(
                "money.jar",
                RepositoryServer.jar(
                        Map.of("p/Lib", source),
                        Map.of("META-INF/services/org.dflib.jjava.jupyter.Extension", "p.Lib\n")));
        world.run("%jars " + world.folder().resolve("money.jar"));
        var ran = world.run("%money a b");
        assertThat(ran.result()).contains("Money");
        assertThat(List.of(ran.outcome().toString())).allMatch(t -> t.contains("<b>2</b>"));
    }

    @Test
    void valueOfAMagicCanBeAssignedWhereJavaCouldNotGoOn() {
        assertThat(
                        world.run(
                                        "List<?> list = %classpath .;\n"
                                                + "int n = 10 %3;\n"
                                                + "n + list.size() - list.size()")
                                .result())
                .isEqualTo("1");
        assertThat(world.run("int x = 7; x %= 4; x").result()).isEqualTo("3");
        assertThat(world.run("boolean same = 5 == 10 %5;\nsame").result()).isEqualTo("false");
        assertThat(world.run("String s = \"= %jars x\"; s").result()).isEqualTo("= %jars x");
        assertThat(world.run("int before = 1;\nList<String> l = %nosuch a\nint after = 2;").error())
                .contains("no magic named %nosuch");
        assertThat(world.notebook().engine().completeness("var q = %classpath .").status())
                .isEqualTo("complete");
        assertThat(world.run("var again = magic(\"classpath .\"); again instanceof List").result())
                .isEqualTo("true");
    }
}
