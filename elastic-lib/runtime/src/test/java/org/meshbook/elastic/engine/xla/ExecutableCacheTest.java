package org.meshbook.elastic.engine.xla;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutableCacheTest {
    private static final byte[] PROGRAM = {1, 2, 3, 4, 5};

    @TempDir Path folder;
    private Instant now = Instant.parse("2026-12-01T00:00:00Z");

    private ExecutableCache cache(long most) {
        return new ExecutableCache(folder.resolve("xla"), most, () -> now);
    }

    @Test
    void whatWasWrittenIsReadByTheNextProcess() {
        cache(1000).write("a", PROGRAM);
        assertThat(cache(1000).read("a")).contains(PROGRAM);
        assertThat(cache(1000).read("b")).isEmpty();
    }

    @Test
    void damagedFilesAreForgotten() throws IOException {
        cache(1000).write("a", PROGRAM);
        var file = folder.resolve("xla").resolve("a.xla");
        var bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1]++;
        Files.write(file, bytes);
        assertThat(cache(1000).read("a")).isEmpty();
        assertThat(file).doesNotExist();

        Files.write(file, new byte[7]);
        assertThat(cache(1000).read("a")).isEmpty();
    }

    @Test
    void theLongestUnusedGoFirst() {
        // 37 bytes each, so that two fit
        var cache = cache(80);
        cache.write("a", PROGRAM);
        now = now.plusSeconds(1);
        cache.write("b", PROGRAM);
        now = now.plusSeconds(1);
        assertThat(cache.read("a")).isPresent();
        now = now.plusSeconds(1);
        cache.write("c", PROGRAM);
        assertThat(cache.read("b")).isEmpty();
        assertThat(cache.read("a")).isPresent();
        assertThat(cache.read("c")).isPresent();
    }

    @Test
    void aFolderThatCannotBeIsNoFault() throws IOException {
        Files.createFile(folder.resolve("xla"));
        cache(1000).write("a", PROGRAM);
        assertThat(cache(1000).read("a")).isEmpty();
    }

    @Test
    void offKeepsNothing() {
        assertThat(ExecutableCache.of(Map.of(ExecutableCache.VARIABLE, "off"))).isEmpty();
        assertThat(ExecutableCache.of(Map.of())).isPresent();
    }
}
