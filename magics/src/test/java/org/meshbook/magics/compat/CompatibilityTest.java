package org.meshbook.magics.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.magics.maven.MavenExtension;
import org.meshbook.magics.maven.Notebook;
import org.meshbook.magics.maven.RepositoryServer;

/// Each row of docs/compatibility.md, as it is written there.
@Timeout(120)
class CompatibilityTest {
    private static final Path PAGE = Path.of("../docs/compatibility.md");

    @TempDir private static Path temp;
    private static RepositoryServer server;
    private static Notebook notebook;
    private static final List<String[]> PROPERTIES = new ArrayList<>();

    @BeforeAll
    static void open() throws IOException {
        server = new RepositoryServer(temp.resolve("served"));
        for (var name : List.of("one", "two", "three", "four", "five", "six")) {
            server.library("org.a:" + name + ":1.0");
        }
        var settings = temp.resolve("settings.xml");
        Files.writeString(
                settings,
                "<settings><mirrors><mirror><id>here</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>"
                        .formatted(server.url()));
        property("meshbook.maven.settings", settings.toString());
        property("maven.repo.local", temp.resolve("local").toString());
        property("java.class.path", System.getProperty("java.class.path"));
        var folder = Files.createDirectories(temp.resolve("folder"));
        Files.write(
                folder.resolve("lib.jar"),
                RepositoryServer.jar(
                        Map.of("p/Lib", "package p; public class Lib {}"), Map.of("p/l.txt", "l")));
        Files.writeString(folder.resolve("script.jsh"), "int loaded = 11;");
        Files.writeString(
                folder.resolve("pom.xml"),
                "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>%s</project>"
                        .formatted(
                                RepositoryServer.dependencies(
                                        RepositoryServer.needs("org.a:four:1.0"))));
        notebook = new Notebook(new MavenExtension(), new CompatExtension());
    }

    private static void property(String name, String value) {
        var before = System.getProperty(name);
        PROPERTIES.add(new String[] {name, before == null ? "" : before});
        System.setProperty(name, value);
    }

    @AfterAll
    static void close() {
        notebook.close();
        server.close();
        for (var each : PROPERTIES.reversed()) {
            if (each[1].isEmpty()) {
                System.clearProperty(each[0]);
            } else {
                System.setProperty(each[0], each[1]);
            }
        }
    }

    private record Row(String name, String cell, String shows) {}

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .map(CompatibilityTest::row)
                .toList();
    }

    private static Row row(String line) {
        var columns =
                Stream.of(line.substring(1).split("(?<!\\\\)\\|", -1))
                        .map(text -> text.replace("\\|", "|").strip())
                        .toList();
        return new Row(code(columns.get(0)), code(columns.get(2)), code(columns.get(3)));
    }

    private static String code(String column) {
        return column.replaceFirst("^`+ ?", "").replaceFirst(" ?`+$", "");
    }

    @TestFactory
    Stream<DynamicTest> eachRowDoesWhatItSays() throws IOException {
        return rows().stream().map(row -> dynamicTest(row.name(), () -> check(row)));
    }

    private static void check(Row row) {
        assertThat(row.cell()).as("the cell of " + row.name()).isNotEmpty();
        var cell =
                row.cell()
                        .replace('~', '\n')
                        .replace("{url}", server.url())
                        .replace("{folder}", temp.resolve("folder").toString());
        var ran = notebook.run(cell);
        assertThat(ran.outcome()).as(ran.error()).isInstanceOf(CellOutcome.Done.class);
        for (var part : row.shows().split("; (?=prints |shows |result )", -1)) {
            checkPart(part, ran);
        }
    }

    private static void checkPart(String part, Notebook.Ran ran) {
        var words = part.split(" ", 3);
        switch (words[0]) {
            case "" -> {}
            case "prints" -> assertThat(ran.out()).contains(part.substring("prints ".length()));
            case "shows" ->
                    assertThat(ran.displays())
                            .extracting(d -> String.valueOf(d.bundle().get(words[1])))
                            .contains(words[2]);
            case "result" -> {
                var shown = ((CellOutcome.Done) ran.outcome()).result().orElseThrow();
                assertThat(String.valueOf(shown.bundle().get(words[1]))).isEqualTo(words[2]);
            }
            default -> assertThat(ran.result()).isEqualTo(part);
        }
    }

    @Test
    void everyStaticMethodOfJjavaHasARow() throws IOException {
        var names = rows().stream().map(Row::name).collect(Collectors.toSet());
        try (var in = getClass().getResourceAsStream("jjava-jupyter-1.0-a6.txt")) {
            var signatures =
                    new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                            .lines()
                            .toList();
            assertThat(signatures).hasSize(58);
            assertThat(names).containsAll(signatures);
        }
    }
}
