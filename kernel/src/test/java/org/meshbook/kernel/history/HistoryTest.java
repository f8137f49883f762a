package org.meshbook.kernel.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    @TempDir Path folder;

    private static List<String> texts(List<Entry> entries) {
        return entries.stream().map(e -> e.session() + ":" + e.line() + ":" + e.source()).toList();
    }

    private void run(String... cells) {
        try (var history = History.in(folder)) {
            var session = history.begin();
            for (var at = 0; at < cells.length; at++) {
                session.add(at + 1, cells[at]);
            }
        }
    }

    @Test
    void cellsAreFoundInLaterSessions() {
        run("a", "b");
        run("c");
        try (var history = History.in(folder)) {
            var now = history.begin();
            now.add(1, "d");
            now.output(1, "4");
            assertThat(texts(now.tail(3))).containsExactly("1:2:b", "2:1:c", "3:1:d");
            assertThat(texts(now.range(-1, 0, OptionalInt.empty()))).containsExactly("2:1:c");
            assertThat(texts(now.range(-2, 2, OptionalInt.empty()))).containsExactly("1:2:b");
            assertThat(texts(now.range(1, 1, OptionalInt.of(2)))).containsExactly("1:1:a");
            assertThat(texts(now.range(0, 0, OptionalInt.empty()))).containsExactly("3:1:d");
            assertThat(now.tail(1).getFirst().output()).contains("4");
        }
        try (var history = History.in(folder)) {
            var entry = history.begin().tail(1).getFirst();
            assertThat(entry.output()).contains("4");
        }
    }

    @Test
    void equalTextsAreGivenOnceIfAsked() {
        run("print a", "x", "print b", "print a");
        try (var history = History.in(folder)) {
            var now = history.begin();
            assertThat(texts(now.search("print*", OptionalInt.empty(), true)))
                    .containsExactly("1:3:print b", "1:4:print a");
            assertThat(texts(now.search("*[!b]", OptionalInt.of(2), false)))
                    .containsExactly("1:2:x", "1:4:print a");
        }
    }

    @Test
    void onlyItsOwnerReadsIt() throws IOException {
        run("a");
        for (var name : List.of("history.jsonl", "history.lock")) {
            var mode = Files.getPosixFilePermissions(folder.resolve(name));
            assertThat(PosixFilePermissions.toString(mode)).isEqualTo("rw-------");
        }
    }

    @Test
    void aTornLineCostsItselfOnly() throws IOException {
        run("a");
        var file = folder.resolve("history.jsonl");
        Files.writeString(file, "{\"session\": 1, \"li", UTF_8, StandardOpenOption.APPEND);
        run("b");
        try (var history = History.in(folder)) {
            assertThat(texts(history.begin().tail(9))).containsExactly("1:1:a", "2:1:b");
        }
    }

    @Test
    void numbersGoOnWithoutTheLockFile() throws IOException {
        run("a");
        Files.delete(folder.resolve("history.lock"));
        run("b");
        try (var history = History.in(folder)) {
            assertThat(texts(history.begin().tail(9))).containsExactly("1:1:a", "2:1:b");
        }
    }

    @Test
    void kernelsThatRunAtTheSameTimeKeepEachOthersCells() {
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (var kernel = 0; kernel < 4; kernel++) {
                var unused =
                        threads.submit(
                                () ->
                                        run(
                                                IntStream.range(0, 50)
                                                        .mapToObj(n -> "cell " + n)
                                                        .toArray(String[]::new)));
            }
        }
        try (var history = History.in(folder)) {
            var all = history.begin().tail(1000);
            assertThat(all).hasSize(200);
            assertThat(all.stream().map(Entry::session).distinct()).containsExactly(1, 2, 3, 4);
        }
    }

    @Test
    void aFileThatGrowsTooLargeKeepsItsNewerHalf() throws IOException {
        var file = new HistoryFile(folder, 10_000);
        for (var session = 1; session <= 20; session++) {
            var number = file.begin();
            for (var line = 1; line <= 10; line++) {
                file.add(number, line, "x".repeat(40) + line);
            }
        }
        assertThat(Files.size(folder.resolve("history.jsonl"))).isLessThan(10_001);
        var kept = file.read();
        assertThat(kept.getLast().session()).isEqualTo(20);
        assertThat(kept.getFirst().session()).isGreaterThan(5);
        Files.delete(folder.resolve("history.lock"));
        assertThat(file.begin()).isEqualTo(21);
    }

    @Test
    void aHugeCellIsNotKeptAndAHugeResultIsCut() {
        try (var history = History.in(folder)) {
            var session = history.begin();
            session.add(1, "y".repeat(300 << 10));
            session.add(2, "small");
            session.output(2, "z".repeat(50_000));
        }
        try (var history = History.in(folder)) {
            var kept = history.begin().tail(9);
            assertThat(texts(kept)).containsExactly("1:2:small");
            assertThat(kept.getFirst().output().orElseThrow()).hasSize(10_000);
        }
    }

    @Test
    void aFolderThatCannotBeMadeCostsNoCell() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "in the way");
        try (var history = History.in(file.resolve("below"))) {
            var session = history.begin();
            session.add(1, "a");
            assertThat(texts(session.tail(9))).containsExactly("1:1:a");
        }
    }

    @Test
    void whatIsSwitchedOffKeepsNothing() {
        try (var history = History.none()) {
            var session = history.begin();
            session.add(1, "a");
            session.output(1, "r");
            assertThat(session.tail(9)).hasSize(1);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void eachSystemKeepsStateInItsOwnPlace() {
        var home = Path.of("/home/ann");
        assertThat(History.folder("Linux", home, Map.of()))
                .isEqualTo(Path.of("/home/ann/.local/state/meshbook"));
        assertThat(History.folder("Linux", home, Map.of("XDG_STATE_HOME", "/state")))
                .isEqualTo(Path.of("/state/meshbook"));
        assertThat(History.folder("Mac OS X", home, Map.of()))
                .isEqualTo(Path.of("/home/ann/Library/Application Support/meshbook"));
        assertThat(History.folder("Windows 11", home, Map.of("LOCALAPPDATA", "/local")))
                .isEqualTo(Path.of("/local/meshbook"));
    }
}
