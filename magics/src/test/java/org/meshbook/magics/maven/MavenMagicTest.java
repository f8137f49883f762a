package org.meshbook.magics.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.magics.maven.RepositoryServer.dependencies;
import static org.meshbook.magics.maven.RepositoryServer.needs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.cell.CellOutcome;

/// `%maven` and its relatives against a repository of this machine.
@Timeout(120)
class MavenMagicTest {
    @TempDir private Path temp;
    private RepositoryServer server;
    private Path settings;
    private final Map<String, String> before = new java.util.HashMap<>();
    private Notebook notebook;

    @BeforeEach
    void open() throws IOException {
        server = new RepositoryServer(temp.resolve("served"));
        settings = temp.resolve("settings.xml");
        property("meshbook.maven.settings", settings.toString());
        property("maven.repo.local", temp.resolve("local").toString());
        property("java.class.path", System.getProperty("java.class.path"));
        settings("");
        notebook = new Notebook(new MavenExtension());
    }

    @AfterEach
    void close() {
        notebook.close();
        server.close();
        before.forEach(
                (name, value) -> {
                    if (value.isEmpty()) {
                        System.clearProperty(name);
                    } else {
                        System.setProperty(name, value);
                    }
                });
    }

    private void property(String name, String value) {
        before.putIfAbsent(name, System.getProperty(name, ""));
        System.setProperty(name, value);
    }

    /// Central stands on this machine; nothing is asked of others.
    private void settings(String more) throws IOException {
        Files.writeString(
                settings,
                """
                <settings><mirrors>
                <mirror><id>here</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
                </mirrors>%s</settings>
                """
                        .formatted(server.url(), more));
    }

    @Test
    void libraryComesWithWhatItNeeds() {
        server.library("org.a:base:1.0");
        server.library("org.a:unused:1.0");
        server.library(
                "org.a:top:2.0", needs("org.a:base:1.0"), needs("org.a:unused:1.0:provided"));

        var ran = notebook.run("%maven org.a:top:2.0");

        assertThat(ran.error()).isEmpty();
        assertThat(ran.out())
                .contains("added top-2.0.jar, base-1.0.jar (loaded 2 files")
                .contains("central was reached through mirror 'here'")
                .doesNotContain("unused");
        assertThat(notebook.run("p.Top.version() + p.Base.version()").result()).isEqualTo("2.01.0");
        assertThat(System.getProperty("java.class.path")).contains("top-2.0.jar", "base-1.0.jar");
        assertThat(notebook.run("%maven org.a:top:2.0").out()).contains("nothing to add");
    }

    @Test
    void everyFormOfCoordinatesIsUnderstood() {
        server.library("org.a:lib:1.0");
        server.put(
                "org.a:lib:1.0",
                "extra",
                "jar",
                RepositoryServer.jar(
                        Map.of("p/Extra", "package p; public class Extra {}"), Map.of()));
        server.put(
                "org.a:lib:1.0",
                "",
                "txt",
                "text".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        for (var form :
                List.of(
                        "org.a:lib:1.0",
                        "org.a:lib:jar:1.0",
                        "org.a:lib:jar:extra:1.0",
                        "org.a:lib:1.0:extra@jar",
                        "org.a:lib:1.0:extra",
                        "org.a:lib:1.0@jar",
                        "org.a:lib:[0.5,2)",
                        "org.a:lib:LATEST",
                        "org.a:lib:RELEASE")) {
            assertThat(notebook.run("%maven " + form).error()).as(form).isEmpty();
        }
        assertThat(notebook.run("new p.Extra() != null && p.Lib.version() != null").result())
                .isEqualTo("true");
        assertThat(notebook.run("%maven org.a:lib:txt:1.0").out())
                .contains("org.a:lib:txt:1.0 is no jar; it lies at ");
    }

    @Test
    @DisplayName("IJava#83: a snapshot with a classifier is found")
    void snapshotWithClassifierIsFound() {
        server.library("org.a:nightly:1-SNAPSHOT");
        server.put(
                "org.a:nightly:1-SNAPSHOT",
                "linux-x86_64",
                "jar",
                RepositoryServer.jar(
                        Map.of("p/Native", "package p; public class Native {}"), Map.of()));
        assertThat(notebook.run("%maven org.a:nightly:1-SNAPSHOT").error())
                .contains("none of them has snapshots: add one that does by %mavenRepo ID URL");

        var ran =
                notebook.run(
                        """
                        %%mavenRepo snaps %s
                        %%maven org.a:nightly:jar:linux-x86_64:1-SNAPSHOT org.a:nightly:1-SNAPSHOT
                        new p.Native() != null ? p.Nightly.version() : ""
                        """
                                .formatted(server.url()));

        assertThat(ran.result()).isEqualTo("1-SNAPSHOT");
    }

    @Test
    @DisplayName("beakerx#6954: a project of packaging pom adds what it needs")
    void pomPackagingAddsWhatItNeeds() {
        server.library("org.a:base:1.0");
        server.pom("org.a:all:1.0", "pom", dependencies(needs("org.a:base:1.0")));
        assertThat(notebook.run("%maven org.a:all:1.0").out()).contains("added base-1.0.jar");
        assertThat(notebook.run("%maven org.a:all:pom:1.0").out()).contains("nothing to add");
        assertThat(notebook.run("p.Base.version()").result()).isEqualTo("1.0");
    }

    @Test
    void bomSaysVersions() {
        server.library("org.a:base:1.0");
        server.library("org.a:base:1.5");
        server.pom(
                "org.a:bom:9",
                "pom",
                "<dependencyManagement>"
                        + dependencies(needs("org.a:base:1.0"))
                        + "</dependencyManagement>");
        assertThat(notebook.run("%maven org.a:base").error())
                .contains("org.a:base has no version, and no BOM says one; the newest is 1.5");
        assertThat(notebook.run("%maven bom org.a:bom:9").out())
                .contains("org.a:bom:pom:9 is a BOM of 1 versions");
        assertThat(notebook.run("%maven org.a:base").error()).isEmpty();
        assertThat(notebook.run("p.Base.version()").result()).isEqualTo("1.0");
    }

    @Test
    void exclusionsAreLeftOut() {
        server.library("org.a:base:1.0");
        server.library("org.a:other:1.0");
        server.library("org.a:top:1.0", needs("org.a:base:1.0"), needs("org.a:other:1.0"));
        var ran = notebook.run("%maven org.a:top:1.0 --exclude org.a:base");
        assertThat(ran.out()).contains("added top-1.0.jar, other-1.0.jar").doesNotContain("base");
    }

    @Test
    void severalStandInTheBody() {
        server.library("org.a:one:1.0");
        server.library("org.a:two:1.0");
        var ran = notebook.run("%%maven\n# both\norg.a:one:1.0\n\norg.a:two:1.0\n");
        assertThat(ran.out()).contains("added one-1.0.jar, two-1.0.jar");
    }

    @Test
    void firstLoadedVersionStaysAndSaysSo() {
        server.library("org.a:lib:1.0");
        server.library("org.a:lib:2.0");
        server.library("org.a:user:1.0", needs("org.a:lib:2.0"));
        notebook.run("%maven org.a:lib:1.0");
        var ran = notebook.run("%maven org.a:user:1.0");
        assertThat(ran.out())
                .contains(
                        "org.a:lib:1.0 is on the class path already, and stays; 2.0 was not added")
                .contains("added user-1.0.jar");
        assertThat(notebook.run("p.Lib.version()").result()).isEqualTo("1.0");
    }

    @Test
    void librariesOfOursStayAndSaySo() {
        server.put(
                "tools.jackson.core:jackson-core:2.0",
                "",
                "jar",
                RepositoryServer.jar(Map.of("p/Old", "package p; public class Old {}"), Map.of()));
        server.pom("tools.jackson.core:jackson-core:2.0", "", "");
        assertThat(notebook.run("%maven tools.jackson.core:jackson-core:2.0").out())
                .containsPattern(
                        "tools.jackson.core:jackson-core:3\\S+ is on the class path already");
    }

    @Test
    @DisplayName("rapaio#74: the reason is there, in one line")
    void rootCauseIsOneLine() throws IOException {
        server.library("org.a:lib:1.0");
        server.library("org.a:lib:1.1");
        server.library("org.a:broken:1.0");
        server.corrupt("org/a/broken/1.0/broken-1.0.jar");
        server.library("org.a:top:1.0", needs("org.a:gone:3"));
        var here = " was not found in here (" + server.url() + "); ";
        assertError("org.a:lib:7", "org.a:lib:7" + here + "its newest versions are 1.1, 1.0");
        assertError(
                "org.a:lib:jar:linux:1.0",
                "org.a:lib:jar:linux:1.0"
                        + here
                        + "that version is listed there, but has no file of extension 'jar' and"
                        + " classifier 'linux'");
        assertError("org.a:top:1.0", "org.a:gone:3 (needed by org.a:top:1.0)" + here);
        assertError(
                "org.a:lib:[5,6)", "no version of org.a:lib fits '[5,6)' in here (" + server.url());
        assertError(
                "org.a:broken:1.0",
                "org.a:broken:1.0: repository here ("
                        + server.url()
                        + ") as mirror of central: its checksum is wrong: ");
        notebook.run("%maven org.a:lib:1.0");
        assertError("org.a:lob:1.0", "did you mean org.a:lib?");
        assertError("org.b:lib:1.0", "did you mean org.a:lib?");
        assertThat(notebook.run("1 + 1").result()).isEqualTo("2");
    }

    private void assertError(String coordinates, String line) {
        var ran = notebook.run("%maven " + coordinates);
        assertThat(ran.error()).contains(line);
        assertThat(ran.trace()).hasSize(1);
    }

    @Test
    void unreachableRepositoryIsNamed() {
        server.library("org.a:lib:1.0");
        notebook.run("%mavenRepo far http://no-such-host.invalid/repo");
        assertError("org.a:new:1.0", "unknown host no-such-host.invalid");
        var port = server.port();
        server.close();
        notebook.run("%mavenRepo far http://127.0.0.1:" + port + "/repo");
        assertError("org.a:new:1.0", "(http://127.0.0.1:" + port + "/repo)");
        assertError("org.a:new:1.0", ": connection refused");
    }

    @Test
    void badArgumentsSayWhatIsRight() {
        assertThat(notebook.run("%maven").error()).contains("%maven needs coordinates, as %maven ");
        assertThat(notebook.run("%maven a").error()).contains("'a' names no Maven artifact");
        assertThat(notebook.run("%maven a:b:c:d:e:f").error()).contains("6 parts");
        assertThat(notebook.run("%maven a: :1").error()).contains("its artifact is ''");
        assertThat(notebook.run("%maven --ofline a:b:1").error())
                .contains("has no flag --ofline; it has --exclude, --offline");
        assertThat(notebook.run("%mavenRepo x").error()).contains("%mavenRepo ID URL");
        assertThat(notebook.run("%mavenRepo x ftp://y").error()).contains("https:, http: or file:");
        assertThat(notebook.run("%mavenRepo x y").error()).contains("'y' is no URL");
    }

    @Test
    void repositoriesAreListedInTheOrderInWhichTheyAreAsked() {
        notebook.run("%mavenRepo mine " + server.url());
        assertThat(notebook.run("%mavenRepo").out().lines())
                .satisfiesExactly(
                        l -> assertThat(l).contains("mine", server.url(), "snapshots"),
                        l -> assertThat(l).contains("central", "repo.maven.apache.org"));
    }

    @Test
    void credentialsOfTheServerAreUsed() throws IOException {
        server.library("org.a:lib:1.0");
        server.protect("ann", "geheim");
        assertError("org.a:lib:1.0", "401, credentials wanted: name a <server> of the same id");
        settings(
                "<servers><server><id>here</id><username>ann</username><password>${secret.of.test}</password></server></servers>");
        property("secret.of.test", "geheim");
        try (var other = new Notebook(new MavenExtension())) {
            assertThat(other.run("%maven org.a:lib:1.0").error()).isEmpty();
        }
        settings(
                "<servers><server><id>here</id><username>ann</username><password>{COQLCE6DU6GtcS5P=}</password></server></servers>");
        try (var other = new Notebook(new MavenExtension())) {
            assertThat(other.run("%maven org.a:lib:1.0").error())
                    .contains("the password of server 'here' in settings.xml is encrypted")
                    .contains("${env.NAME}");
        }
    }

    @Test
    @DisplayName("IJava#32: proxies are honoured, and it says which was used")
    void proxiesAreHonoured() throws IOException {
        server.library("org.a:lib:1.0");
        Files.writeString(settings, "<settings/>");
        property("http.proxyHost", "127.0.0.1");
        property("http.proxyPort", "" + server.port());
        var ran =
                notebook.run(
                        "%mavenRepo inside http://repo.example.invalid/repo\n%maven org.a:lib:1.0");
        assertThat(ran.error()).isEmpty();
        assertThat(ran.out())
                .contains(
                        "inside was reached through proxy 127.0.0.1:"
                                + server.port()
                                + " (http.proxyHost)");
        assertThat(server.asked).anyMatch(a -> a.startsWith("repo.example.invalid/repo/org/a/lib"));

        System.clearProperty("http.proxyHost");
        Files.writeString(
                settings,
                "<settings><proxies><proxy><host>127.0.0.1</host><port>%d</port></proxy></proxies></settings>"
                        .formatted(server.port()));
        server.library("org.a:more:1.0");
        try (var other = new Notebook(new MavenExtension())) {
            assertThat(
                            other.run(
                                            "%mavenRepo inside http://repo.example.invalid/repo\n"
                                                    + "%maven org.a:more:1.0")
                                    .out())
                    .contains("(settings.xml)")
                    .contains("added more-1.0.jar");
        }
    }

    @Test
    void activeProfilesOfSettingsAddRepositories() throws IOException {
        server.library("org.a:lib:1.0");
        Files.writeString(
                settings,
                """
                <settings><localRepository>%s</localRepository>
                <profiles><profile><id>corp</id><repositories><repository><id>corp</id><url>%s</url></repository></repositories></profile>
                <profile><id>other</id><repositories><repository><id>other</id><url>http://other.invalid/</url></repository></repositories></profile></profiles>
                <activeProfiles><activeProfile>corp</activeProfile></activeProfiles></settings>
                """
                        .formatted(temp.resolve("own"), server.url()));
        System.clearProperty("maven.repo.local");
        assertThat(notebook.run("%mavenRepo").out()).contains("corp").doesNotContain("other");
        assertThat(notebook.run("%maven org.a:lib:1.0").error()).isEmpty();
        assertThat(temp.resolve("own/org/a/lib/1.0/lib-1.0.jar")).exists();
    }

    @Test
    void brokenSettingsAreNamedWithTheirLine() throws IOException {
        Files.writeString(settings, "<settings>\n<mirrors>\n</settings>");
        assertThat(notebook.run("%maven org.a:lib:1.0").error())
                .contains(settings.toString())
                .contains("is broken XML at line 3");
    }

    @Test
    void offlineUsesWhatIsHere() {
        server.library("org.a:lib:1.0");
        assertThat(notebook.run("%maven org.a:lib:1.0 --offline").error())
                .contains("org.a:lib:1.0")
                .contains("offline");
        notebook.run("%maven org.a:lib:1.0");
        var asked = server.asked.size();
        try (var other = new Notebook(new MavenExtension())) {
            assertThat(other.run("%maven org.a:lib:1.0 --offline").error()).isEmpty();
        }
        assertThat(server.asked).hasSize(asked);
    }

    @Test
    void interruptCutsADownloadAndTheNextWorks() throws Exception {
        server.library("org.a:big:1.0");
        server.library("org.a:lib:1.0");
        server.stallAt("big-1.0.jar");
        var recorder = new Notebook.Recorder();
        var task = notebook.task("%maven org.a:big:1.0", recorder);
        var running = new FutureTask<>(task::run);
        Thread.ofPlatform().daemon().start(running);
        server.awaitStall();
        var begin = System.nanoTime();

        task.interrupt();

        assertThat(running.get())
                .isInstanceOfSatisfying(
                        CellOutcome.Failed.class,
                        f -> assertThat(f.name()).isEqualTo("KeyboardInterrupt"));
        // The promise is one second.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        server.stallAt("nothing");
        assertThat(notebook.run("%maven org.a:lib:1.0").error()).isEmpty();
        assertThat(notebook.run("%maven org.a:big:1.0").error()).isEmpty();
        assertThat(notebook.run("p.Big.version()").result()).isEqualTo("1.0");
    }

    @Test
    void coordinatesAreCompletedFromTheLocalRepository() {
        server.library("org.a:lib:1.0");
        server.library("org.a:lib:1.1");
        notebook.run("%maven org.a:lib:1.0");
        assertThat(notebook.complete("%maven o")).containsExactly("org.");
        assertThat(notebook.complete("%maven org.")).containsExactly("org.a:");
        assertThat(notebook.complete("%maven org.a:")).containsExactly("org.a:lib:");
        assertThat(notebook.complete("%maven org.a:lib:")).containsExactly("org.a:lib:1.0");
        assertThat(notebook.complete("%maven --of")).containsExactly("--offline");
        assertThat(notebook.complete("%maven bo")).containsExactly("bom");
        assertThat(notebook.complete("%mavenRepo x h")).containsExactly("https://");
    }

    @Test
    void relocatedOptionalAndConflictingDependenciesAreMavens() {
        server.library("org.new:moved:2.0");
        server.pom(
                "org.old:moved:1.0",
                "",
                "<distributionManagement><relocation><groupId>org.new</groupId><version>2.0</version></relocation></distributionManagement>");
        server.library("org.a:near:1.0");
        server.library("org.a:near:2.0");
        server.library("org.a:mid:1.0", needs("org.a:near:2.0"));
        server.library("org.a:extra:1.0");
        server.library(
                "org.a:top:1.0",
                needs("org.a:mid:1.0"),
                needs("org.a:near:1.0"),
                needs("org.a:extra:1.0", "<optional>true</optional>"));
        assertThat(notebook.run("%maven org.old:moved:1.0").out()).contains("added moved-2.0.jar");
        var ran = notebook.run("%maven org.a:top:1.0");
        assertThat(ran.error()).isEmpty();
        assertThat(ran.out())
                .contains("top-1.0.jar", "mid-1.0.jar", "near-1.0.jar")
                .doesNotContain("near-2.0", "extra");
    }

    @Test
    void libraryWithoutPomOrChecksumsIsTaken() throws IOException {
        server.put(
                "org.a:bare:1.0",
                "",
                "jar",
                RepositoryServer.jar(
                        Map.of("p/Bare", "package p; public class Bare {}"), Map.of()));
        Files.delete(temp.resolve("served/org/a/bare/1.0/bare-1.0.jar.sha1"));
        assertThat(notebook.run("%maven org.a:bare:1.0").error()).isEmpty();
        assertThat(notebook.run("new p.Bare() != null").result()).isEqualTo("true");
    }

    @Test
    void repositoryInAFolderNeedsNoServer() {
        server.library("org.a:lib:1.0");
        notebook.run("%mavenRepo files " + server.files());
        server.close();
        assertThat(notebook.run("%maven org.a:lib:1.0").out()).contains("added lib-1.0.jar");
    }

    @Test
    void brokenPomOfWhatWasAskedForIsNamed() {
        server.put(
                "org.a:odd:1.0",
                "",
                "pom",
                "<project><oops".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        server.put("org.a:odd:1.0", "", "jar", RepositoryServer.jar(Map.of(), Map.of("a", "b")));
        assertThat(notebook.run("%maven org.a:odd:1.0").error())
                .containsPattern("odd-1.0.pom' is no project that can be read: ")
                .doesNotContain("\n");
    }

    @Test
    void corruptedMetadataAndHtmlInPlaceOfPomAreErrorsNotHangs() throws IOException {
        server.library("org.a:lib:1.0");
        server.corrupt("org/a/lib/maven-metadata.xml");
        assertThat(notebook.run("%maven org.a:lib:LATEST").error()).contains("org.a:lib");
        assertThat(notebook.run("%maven org.a:lib:1.0").error()).isEmpty();
    }
}
