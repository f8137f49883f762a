package org.meshbook.elastic.checkpoint.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.mesh.Mesh;

/// Checkpoints in a real object store: S3Proxy over a folder, as a process of its own.
@Timeout(180)
class BucketTest {
    private static final Path JAR =
            Path.of("target/s3proxy/s3proxy-2.7.0-jar-with-dependencies.jar");
    private static Process server;
    private static int port;

    @TempDir private static Path objects;

    @TempDir private Path folder;
    private Run run;
    private Mesh mesh;
    private static int buckets;
    private String bucket;

    @BeforeAll
    static void start() throws IOException {
        assertThat(JAR).as("the build puts it there").exists();
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var settings = Files.createTempFile(objects, "s3proxy", ".conf");
        var store = Files.createDirectory(objects.resolve("store"));
        Files.writeString(
                settings,
                """
                s3proxy.endpoint=http://127.0.0.1:%d
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=tester
                s3proxy.credential=a secret of tests
                jclouds.provider=filesystem
                jclouds.filesystem.basedir=%s
                """
                        .formatted(port, store));
        server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-jar",
                                JAR.toString(),
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(objects.resolve("log").toFile())
                        .start();
        Awaitility.await("the object store").atMost(Duration.ofMinutes(1)).until(BucketTest::open);
    }

    private static boolean open() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @AfterAll
    static void stop() throws InterruptedException {
        server.destroy();
        if (!server.waitFor(10, TimeUnit.SECONDS)) {
            server.destroyForcibly();
        }
    }

    @BeforeEach
    void makeBucket() throws IOException {
        bucket = "bucket" + ++buckets;
        Files.createDirectory(objects.resolve("store").resolve(bucket));
        run = new Run(folder, 4);
        mesh = run.mesh(0, 1, 2, 3);
    }

    private DurableTier tier() {
        return DurableTier.at("s3://" + bucket + "/some/prefix")
                .config(
                        Map.of(
                                "endpoint", "http://127.0.0.1:" + port,
                                "region", "us-east-1",
                                "access_key_id", "tester",
                                "secret_access_key", "a secret of tests"))
                .everySteps(1)
                .keep(Retention.last(2));
    }

    private Checkpointer inBucket() {
        return run.of(CheckpointOptions.DEFAULT.onlyDurable(tier()));
    }

    private Path object(String name) {
        return objects.resolve("store").resolve(bucket).resolve("some/prefix").resolve(name);
    }

    @Test
    void aStateComesBackBitByBitFromABucket() {
        var checkpoints = inBucket();
        var state = run.state(mesh, 3);
        for (int step = 1; step <= 3; step++) {
            run.saved(checkpoints, step, step == 3 ? state : run.state(mesh, step));
        }
        assertThat(inBucket().steps()).containsExactly(2L, 3L);
        var back = inBucket();
        assertThat(Run.content(back.load(mesh, run.state(mesh, 0)))).isEqualTo(Run.content(state));
        assertThat(back.lastRestore()).map(RestoreReport::tier).contains(Tier.DURABLE);
    }

    @Test
    void aStepIsThereOnlyWithItsManifestAndDeadWritersAreSwept() throws IOException {
        run.saved(inBucket(), 1, run.state(mesh, 1));
        Files.createDirectories(object("run/2/dead"));
        Files.writeString(object("run/2/dead/shards-0-0.bin"), "half");
        Files.writeString(
                object("run/2/writing-dead"),
                "%s 999999999 1 dead\n%d\n"
                        .formatted(
                                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
                                System.currentTimeMillis()));
        Files.createDirectories(object("run/5"));
        Files.writeString(object("run/5/weights"), "somebody's own");
        assertThat(inBucket().steps()).containsExactly(1L);
        run.saved(inBucket(), 3, run.state(mesh, 1));
        assertThat(inBucket().steps()).containsExactly(1L, 3L);
        assertThat(object("run/2/dead/shards-0-0.bin")).doesNotExist();
        assertThat(object("run/2/writing-dead")).doesNotExist();
        assertThat(object("run/5/weights")).exists();
    }

    @Test
    void aDamagedObjectIsDetectedAndTheOlderStepTaken() throws IOException {
        var checkpoints = inBucket();
        run.saved(checkpoints, 1, run.state(mesh, 1));
        run.saved(checkpoints, 2, run.state(mesh, 2));
        try (var files = Files.walk(object("run/2"))) {
            var file =
                    files.filter(p -> p.toString().endsWith("shards-0-0.bin"))
                            .findFirst()
                            .orElseThrow();
            var bytes = Files.readAllBytes(file);
            bytes[5] ^= 1;
            Files.write(file, bytes);
        }
        var back = inBucket();
        assertThat(back.load(mesh, run.state(mesh, 0)).position()).isEqualTo(100);
        assertThat(back.lastRestore().orElseThrow().toString())
                .contains("step 1 from durable")
                .contains("not step 2 durable");
    }

    @Test
    void aRollbackHidesLaterStepsAndTheyCanBeSavedAgain() {
        var checkpoints = inBucket();
        run.saved(checkpoints, 1, run.state(mesh, 1));
        run.saved(checkpoints, 2, run.state(mesh, 2));
        assertThat(checkpoints.load(mesh, run.state(mesh, 0), 1).position()).isEqualTo(100);
        assertThat(checkpoints.steps()).containsExactly(1L);
        run.saved(checkpoints, 2, run.state(mesh, 9));
        assertThat(inBucket().load(mesh, run.state(mesh, 0)).position()).isEqualTo(900);
    }

    @Test
    void secretsAreNotShownAndAnUnreachableBucketIsToldInOneLine() {
        assertThat(tier().toString()).doesNotContain("secret of tests").contains(bucket);
        var wrong =
                tier().config(
                                Map.of(
                                        "endpoint",
                                        "http://127.0.0.1:1",
                                        "region",
                                        "us-east-1",
                                        "access_key_id",
                                        "tester",
                                        "secret_access_key",
                                        "a secret of tests"));
        var checkpoints = run.of(CheckpointOptions.DEFAULT.onlyDurable(wrong));
        var save = checkpoints.save(1, run.state(mesh, 1));
        assertThat(save.await(Duration.ofSeconds(30))).isFalse();
        assertThat(save.failure().orElseThrow().getMessage())
                .contains("slice 0 host 0 failed")
                .doesNotContain("\n")
                .doesNotContain("secret of tests");
    }
}
