package org.meshbook.magics.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.magics.maven.RepositoryServer.dependencies;
import static org.meshbook.magics.maven.RepositoryServer.needs;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `%loadFromPOM`, `%%loadFromPOM` and rapaio's `%dependency`.
@Timeout(120)
class PomMagicTest {
    @RegisterExtension private final MavenWorld world = new MavenWorld();

    @Test
    void projectWithParentAndPropertiesIsRead() {
        world.server().library("org.a:base:1.5");
        world.server().library("org.a:tool:2.0");
        world.server().library("org.a:checker:1.0");
        world.write(
                "pom.xml",
                "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging>"
                        + "<properties><base.version>1.5</base.version></properties><dependencyManagement>"
                        + dependencies(needs("org.a:base:${base.version}"))
                        + "</dependencyManagement></project>");
        var child =
                world.write(
                        "child/pom.xml",
                        "<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent><artifactId>child</artifactId>"
                                + dependencies(
                                        needs("org.a:base"),
                                        needs("org.a:tool:2.0:provided"),
                                        needs("org.a:checker:1.0:test"))
                                + "</project>");
        assertThat(world.run("%loadFromPOM " + child).out()).contains("added base-1.5.jar");
        assertThat(world.run("%loadFromPOM " + child.getParent() + " provided test").out())
                .contains("added tool-2.0.jar, checker-1.0.jar");
        assertThat(world.run("%loadFromPOM " + child + " runtime").out())
                .contains("nothing to add: the project has no dependency of scope runtime");
        assertThat(world.run("%loadFromPOM " + child + " compil").error())
                .contains("'compil' is no scope; there are compile, runtime");
        assertThat(world.run("%loadFromPOM " + child.resolveSibling("pon.xml")).error())
                .contains("pon.xml'; did you mean pom.xml?");
        assertThat(world.run("%loadFromPOM").error()).contains("%loadFromPOM needs a file");
        assertThat(world.notebook().complete("%loadFromPOM " + world.folder() + "/chi"))
                .containsExactly(world.folder() + "/child/");
        assertThat(world.notebook().complete("%loadFromPOM pom.xml prov"))
                .containsExactly("provided");
    }

    @Test
    void everyPartOfAProjectCanBePasted() {
        for (var name : List.of("one", "two", "three", "four")) {
            world.server().library("org.a:" + name + ":1.0");
        }
        world.server()
                .pom(
                        "org.a:bom:1",
                        "pom",
                        "<dependencyManagement>"
                                + dependencies(needs("org.a:four:1.0"))
                                + "</dependencyManagement>");
        var repository =
                "<repository><id>own</id><url>%s</url></repository>"
                        .formatted(world.server().url());
        var ran = world.run("%%loadFromPOM\n" + repository + "\n\n" + needs("org.a:one:1.0"));
        assertThat(ran.out()).contains("added one-1.0.jar");
        assertThat(world.server().asked).anyMatch(a -> a.endsWith("one-1.0.jar"));
        assertThat(world.run("%%loadFromPOM\n" + dependencies(needs("org.a:two:1.0"))).out())
                .contains("added two-1.0.jar");
        assertThat(
                        world.run(
                                        "%%loadFromPOM\n"
                                                + "<?xml version=\"1.0\"?>\n"
                                                + "<project"
                                                + " xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>"
                                                + dependencies(needs("org.a:three:1.0"))
                                                + "</project>")
                                .out())
                .contains("added three-1.0.jar");
        var imported = needs("org.a:bom:1", "<type>pom</type><scope>import</scope>");
        assertThat(
                        world.run(
                                        "%%loadFromPOM\n<dependencyManagement>"
                                                + dependencies(imported)
                                                + "</dependencyManagement>\n"
                                                + needs("org.a:four"))
                                .out())
                .contains("added four-1.0.jar");
    }

    @Test
    void brokenXmlIsNamedWithItsLine() {
        assertThat(
                        world.run("%%loadFromPOM\n<dependency>\n<groupId>a</group>\n</dependency>")
                                .error())
                .contains("what was pasted is broken XML at line 2");
        assertThat(world.run("%%loadFromPOM\n<plugin/>").error())
                .contains("<plugin> does not stand in a project");
        assertThat(world.run("%%loadFromPOM\n   \n").error()).contains("%loadFromPOM needs a file");
        assertThat(
                        world.run(
                                        "%%loadFromPOM\n"
                                                + "<dependency><groupId>a</groupId><artifactId>b</artifactId></dependency>")
                                .error())
                .contains(
                        "its pom is broken: 'dependencies.dependency.version' for a:b:jar is"
                                + " missing");
        assertThat(
                        world.run(
                                        "%%loadFromPOM\n"
                                                + "<!DOCTYPE x [<!ENTITY e SYSTEM"
                                                + " \"file:///etc/passwd\">]><dependency>&e;</dependency>")
                                .error())
                .contains("broken XML");
    }

    @Test
    void proposedDependenciesAreResolvedTogether() {
        world.server().library("org.a:one:1.0");
        world.server().library("org.a:two:1.0");
        assertThat(world.run("%dependency /add org.a:one:1.0").out())
                .contains("proposed org.a:one:1.0");
        assertThat(world.run("%dependency /add org.a:two:1.0 --optional").error()).isEmpty();
        assertThat(world.run("%dependency /resolve").out())
                .contains("added one-1.0.jar, two-1.0.jar");
        assertThat(world.run("%dependency /list-artifacts").out())
                .contains("artifacts: 2", "org.a:one:1.0");
        assertThat(world.run("%dependency /resolve").out()).contains("nothing is proposed");
        assertThat(world.run("%dependency /add org.a:gone:1.0\n%dependency /resolve").error())
                .contains("org.a:gone:1.0 was not found");
        assertThat(world.run("%dependency /list-dependencies").out())
                .contains("proposed: 0", "resolved: 2");
        assertThat(world.run("%dependency /reslove").error()).contains("did you mean /resolve?");
        assertThat(
                        world.run(
                                        "%dependency /add-repo x "
                                                + world.server().url()
                                                + " release|hourly")
                                .error())
                .contains("'hourly' is no update policy");
        assertThat(world.run("%%dependency\n/add org.a:one:1.0\norg.a:two:1.0\n").out())
                .contains("nothing to add");
        assertThat(world.notebook().complete("%dependency /l"))
                .containsExactly("/list-repos", "/list-dependencies", "/list-artifacts");
    }

    @Test
    void pomOfAPastedTextIsNotLeftBehind() throws Exception {
        world.server().library("org.a:one:1.0");
        var temp = world.folder().resolve("tmp");
        Files.createDirectories(temp);
        var before = count();
        world.run("%%loadFromPOM\n" + needs("org.a:one:1.0"));
        assertThat(count()).isEqualTo(before);
    }

    private static long count() throws Exception {
        try (var files = Files.list(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(f -> f.getFileName().toString().endsWith(".pom")).count();
        }
    }
}
