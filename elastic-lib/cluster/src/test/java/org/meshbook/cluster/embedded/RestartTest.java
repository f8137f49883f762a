package org.meshbook.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// What is left of a cluster whose process ended, in good order or not.
class RestartTest {
    private static final int LINES_BEFORE_THE_KILL = 400;

    @TempDir Path folder;

    @Test
    void allIsThereAgainAndTheCounterGoesOn() {
        long version;
        try (var cluster = open()) {
            version = map(cluster, "a").resourceVersion();
            cluster.delete(map(cluster, "b").key(), Propagation.BACKGROUND);
        }
        try (var cluster = open()) {
            assertThat(cluster.list(Kinds.CONFIG_MAP, ""))
                    .extracting(Resource::name)
                    .containsExactly("a");
            assertThat(map(cluster, "c").resourceVersion()).isGreaterThan(version + 2);
        }
    }

    @Test
    void aWriteThatWasCutShortIsDropped() throws IOException {
        try (var cluster = open()) {
            map(cluster, "a");
        }
        var log = folder.resolve("objects.log");
        long sound = Files.size(log);
        Files.write(log, new byte[] {0, 0, 1, 0, 7, 7, 7, 7, 'P', '{'}, StandardOpenOption.APPEND);
        try (var cluster = open()) {
            assertThat(Files.size(log)).isEqualTo(sound);
            map(cluster, "b");
        }
        try (var cluster = open()) {
            assertThat(cluster.list(Kinds.CONFIG_MAP, "")).hasSize(2);
        }
    }

    @Test
    void whatGoesAheadIsToldOnceItIsInTheFile() throws InterruptedException {
        var told = new LinkedBlockingQueue<Boolean>();
        try (var cluster = open();
                var _ =
                        cluster.watch(
                                Kinds.CONFIG_MAP, e -> told.add(inTheFile(e.object().name())))) {
            cluster.ahead(
                    () -> {
                        for (int i = 0; i < 100; i++) {
                            map(cluster, "map-%03d".formatted(i));
                        }
                    });
            for (int i = 0; i < 100; i++) {
                assertThat(told.poll(60, TimeUnit.SECONDS)).isTrue();
            }
        }
        try (var cluster = open()) {
            assertThat(cluster.list(Kinds.CONFIG_MAP, "")).hasSize(100);
        }
    }

    @Test
    void whoGoesAheadHearsAtOnce() {
        var heard = new ArrayList<String>();
        try (var cluster = open()) {
            cluster.ahead(
                    () -> {
                        try (var _ =
                                cluster.watch(
                                        Kinds.CONFIG_MAP, e -> heard.add(e.object().name()))) {
                            map(cluster, "a");
                            assertThat(heard).containsExactly("a");
                        }
                    });
        }
    }

    private boolean inTheFile(String name) {
        try {
            var text = Files.readString(folder.resolve("objects.log"), StandardCharsets.ISO_8859_1);
            return text.contains(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aLongHistoryIsMadeShort() throws IOException {
        var filler = "x".repeat(500_000);
        try (var cluster = open()) {
            var map = map(cluster, "a");
            for (int i = 0; i < 40; i++) {
                var text = i + filler;
                map =
                        cluster.update(
                                map.with(j -> j.withObjectProperty("data").put("k", text)),
                                WriteOptions.PLAIN);
                cluster.delete(map(cluster, "b").key(), Propagation.BACKGROUND);
            }
        }
        assertThat(Files.size(folder.resolve("objects.log"))).isLessThan(10_000_000);
        try (var cluster = open()) {
            assertThat(cluster.list(Kinds.CONFIG_MAP, ""))
                    .extracting(m -> m.text("data", "k"))
                    .containsExactly("39" + filler);
        }
    }

    @Test
    void twoDoNotOpenOneFolder() {
        try (var _ = open()) {
            assertThatThrownBy(this::open).hasMessageContaining("is open already");
        }
    }

    @Test
    @Timeout(120)
    void whatWasSaidToBeDoneIsThereAfterAKill() throws Exception {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var process =
                new ProcessBuilder(
                                java,
                                "-cp",
                                System.getProperty("java.class.path"),
                                WriterMain.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Set<String> made = new HashSet<>();
        try (var lines = process.inputReader()) {
            for (int i = 0; i < LINES_BEFORE_THE_KILL; i++) {
                take(lines.readLine(), made);
            }
            // Not by the process itself: that would close what it wrote.
            process.toHandle().destroyForcibly();
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line, made);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        try (var cluster = open()) {
            var found = new HashSet<String>();
            cluster.list(Kinds.LOCAL_QUEUE, "").forEach(queue -> found.add(queue.name()));
            cluster.list(Kinds.CONFIG_MAP, "").forEach(map -> found.add(map.name()));
            // At most one write was under way.
            assertThat(found.size()).isBetween(made.size() - 2, made.size() + 1);
            var owners = cluster.list(Kinds.LOCAL_QUEUE, "").stream().map(Resource::uid).toList();
            assertThat(cluster.list(Kinds.CONFIG_MAP, ""))
                    .allSatisfy(map -> assertThat(owners).containsAll(map.owners()));
        }
    }

    /// The last line may be cut short.
    private static void take(String line, Set<String> made) {
        var name = line.substring(Math.min(5, line.length()));
        if (line.startsWith("made ")) {
            made.add(name);
        } else if (line.startsWith("gone ")) {
            made.remove(name);
            made.remove(name.replace('q', 'm'));
        }
    }

    private EmbeddedCluster open() {
        return EmbeddedCluster.open(Settings.defaults().withFolder(folder));
    }

    private static Resource map(EmbeddedCluster cluster, String name) {
        return cluster.create(
                Resource.named(Kinds.CONFIG_MAP, "default", name), WriteOptions.PLAIN);
    }
}
