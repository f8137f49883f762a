package org.meshbook.elastic.checkpoint.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.mesh.Mesh;

@Timeout(120)
class DamageTest {
    record Small(Array w, long position) {}

    @TempDir private Path folder;
    private Run run;
    private Mesh mesh;

    @BeforeEach
    void start() {
        run = new Run(folder, 2);
        mesh = Mesh.of(run.sim.devices(), axis("replica", 2), axis("model", 2));
    }

    private Small small(int seed) {
        var values = Run.values(ArrayType.of(DType.F32, 4), seed);
        return new Small(run.sim.put(values, mesh.sharding("model")), seed);
    }

    private void saved(Checkpointer to, long step, int seed) {
        assertThat(to.save(step, small(seed)).await(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void everyByteFlippedOnceIsDetectedAndTheOlderStepIsTakenWithTheReason() throws IOException {
        saved(run.inFolder(), 1, 1);
        saved(run.inFolder(), 2, 2);
        int flipped = 0;
        var files = run.files("durable/run/2/");
        assertThat(files).extracting(f -> f.getFileName().toString()).contains("manifest");
        for (var file : files) {
            if (file.endsWith("writer")) {
                // It says who wrote while that went on; nobody reads it any more.
                continue;
            }
            for (long at = 0; at < Files.size(file); at++) {
                flip(file, at);
                var checkpoints = reader();
                var back = checkpoints.load(mesh, small(0));
                assertThat(back.position()).as("byte %d of %s", at, file).isEqualTo(1);
                assertThat(back.w().toHost()).isEqualTo(Run.values(ArrayType.of(DType.F32, 4), 1));
                var report = checkpoints.lastRestore().orElseThrow();
                assertThat(report.step()).isEqualTo(1);
                assertThat(report.refused()).hasSize(1);
                assertThat(report.refused().getFirst().step()).isEqualTo(2);
                assertThat(report.refused().getFirst().reason())
                        .containsAnyOf("checksum", "cannot be read", "differs");
                flip(file, at);
                restore2();
                flipped++;
            }
        }
        assertThat(flipped).isGreaterThan(500);
        assertThat(reader().load(mesh, small(0)).position()).isEqualTo(2);
    }

    /// Looks at the same folder, on the same slices.
    private Checkpointer reader() {
        return run.inFolder();
    }

    /// A restore of step 1 puts step 2 aside; the next one wants it back.
    private void restore2() throws IOException {
        var aside = folder.resolve("durable/run/2.aside-1");
        if (Files.exists(aside)) {
            Files.move(aside, folder.resolve("durable/run/2"));
        }
    }

    private static void flip(Path file, long at) throws IOException {
        var there =
                Files.exists(file) ? file : Path.of(file.toString().replace("/2/", "/2.aside-1/"));
        try (var channel =
                FileChannel.open(there, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 0x10));
            channel.write(one.flip(), at);
        }
    }

    @Test
    void aTornFileIsNotTakenAndItsCopyIs() throws IOException {
        var checkpoints = run.inRam();
        saved(checkpoints, 5, 5);
        var own = run.files("slice-1-host-0/5/shards-1-0.bin").getFirst();
        try (var channel = FileChannel.open(own, StandardOpenOption.WRITE)) {
            channel.truncate(3);
        }
        assertThat(checkpoints.load(mesh, small(0)).position()).isEqualTo(5);
        var report = checkpoints.lastRestore().orElseThrow();
        assertThat(report.tier()).isEqualTo(Tier.PEER);
        assertThat(report.toString())
                .contains("not step 5 local: shards-1-0.bin of slice 1 host 0");
    }

    @Test
    void aFlippedByteOnOneRamDiskIsHealedByTheCopy() throws IOException {
        var checkpoints = run.inRam();
        saved(checkpoints, 5, 5);
        flip(run.files("slice-0-host-0/5/shards-0-0.bin").getFirst(), 2);
        assertThat(checkpoints.load(mesh, small(0)).position()).isEqualTo(5);
        assertThat(checkpoints.lastRestore().orElseThrow().toString())
                .startsWith("step 5 from peer")
                .contains("'w' in shards-0-0.bin differs from what was written");
    }

    @Test
    void aProgramDoesNotBeginAnewOverCheckpointsThatCannotBeRead() throws IOException {
        saved(run.inFolder(), 5, 5);
        flip(run.files("shards-0-0.bin").getFirst(), 1);
        assertThatThrownBy(() -> run.inFolder().restoreLatestOr(mesh, m -> small(0)))
                .isInstanceOf(CheckpointFailed.class)
                .hasMessageContaining("step 5 durable")
                .hasMessageContaining("name another run to begin anew");
    }

    @Test
    void whatWasForgottenByTheProcessIsFoundByContents() throws IOException {
        saved(run.of(CheckpointOptions.DEFAULT.ram(run.ram.keep(Retention.ALL))), 3, 3);
        // Nothing but the folders themselves says what is there.
        assertThat(run.files("").stream().map(p -> p.getFileName().toString()).distinct())
                .containsExactlyInAnyOrder(
                        "manifest", "shards-0-0.bin", "shards-1-0.bin", "writer");
        assertThat(run.inRam().latest()).contains(3L);
        assertThat(run.inRam().load(mesh, small(0)).position()).isEqualTo(3);
    }

    @Test
    void namesThatAreNoStepsAreNoCandidates() throws IOException {
        saved(run.inFolder(), 3, 3);
        var good = folder.resolve("durable/run/3");
        for (var name :
                List.of("9.tmp", "9.writing-a", "09", "-9", "9a", "tmp", "0", "9.aside-1")) {
            copy(good, folder.resolve("durable/run/" + name));
        }
        assertThat(run.inFolder().steps()).containsExactly(3L);
        copy(good, folder.resolve("durable/run/9"));
        var checkpoints = run.inFolder();
        assertThat(checkpoints.load(mesh, small(0)).position()).isEqualTo(3);
        assertThat(checkpoints.lastRestore().orElseThrow().toString())
                .contains("not step 9 durable: its manifest is that of step 3");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var all = Files.list(from)) {
            for (var file : all.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
