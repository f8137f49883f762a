package org.meshbook.cluster.nodes.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Exec;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.nodes.process.Images;
import org.meshbook.cluster.nodes.process.ProcessRuntime;

/// Commands beside the real process of a pod.
@Timeout(60)
class PodExecTest {
    private static final ResourceKey POD = Kinds.POD.key("default", "one");

    @TempDir private Path folder;
    private final AtomicReference<ProcessRuntime> runtime = new AtomicReference<>();
    private final AtomicReference<Kubelet> kubelet = new AtomicReference<>();
    private final StringBuffer out = new StringBuffer();
    private final StringBuffer err = new StringBuffer();
    private Rig rig;

    @BeforeEach
    void open() {
        rig =
                Rig.with(
                        parts -> {
                            runtime.set(new ProcessRuntime(parts.clock(), folder));
                            kubelet.set(
                                    new Kubelet(
                                            parts.cluster(),
                                            parts.clock(),
                                            runtime.get(),
                                            new Images(folder.resolve("images.conf")),
                                            folder));
                            return List.of(kubelet.get());
                        });
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: one, namespace: default}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, 'sleep 600']
                    env: [{name: TEAM, value: blue}]
                """);
        rig.settle();
    }

    @AfterEach
    void close() {
        runtime.get().close();
        rig.close();
    }

    private int exec(String in, Optional<Duration> within, String... words) throws Exception {
        return new PodExec(rig.cluster(), kubelet.get())
                .exec(
                        POD,
                        new Exec.Command("", List.of(words), within),
                        new Exec.Streams() {
                            @Override
                            public InputStream in() {
                                return new ByteArrayInputStream(in.getBytes(UTF_8));
                            }

                            @Override
                            public void out(byte[] bytes) {
                                out.append(new String(bytes, UTF_8));
                            }

                            @Override
                            public void err(byte[] bytes) {
                                err.append(new String(bytes, UTF_8));
                            }
                        });
    }

    @Test
    void aCommandHasTheContainersVariablesAndItsOwnExitCode() throws Exception {
        var script = "cat; echo $TEAM; echo bad >&2; exit 3";
        assertThat(exec("typed\n", Optional.empty(), "sh", "-c", script)).isEqualTo(3);
        assertThat(out).hasToString("typed\nblue\n");
        assertThat(err).hasToString("bad\n");
    }

    @Test
    void aCommandThatDoesNotEndInTimeIsKilled() {
        var script = "echo $$; exec sleep 600";
        assertThatThrownBy(() -> exec("", Optional.of(Duration.ofSeconds(2)), "sh", "-c", script))
                .isInstanceOf(ApiException.class)
                .hasMessage("sh did not end within 2 s and was killed");
        long pid = Long.parseLong(out.toString().strip());
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void whatCannotBeRunIsNamed() {
        assertThatThrownBy(() -> exec("", Optional.empty(), "no-such-program"))
                .hasMessageEndingWith(
                        "exec: \"no-such-program\": executable file not found in $PATH");
        rig.cluster().remove(POD);
        rig.settle();
        assertThatThrownBy(() -> exec("", Optional.empty(), "ls"))
                .hasMessage("pods \"one\" not found");
    }
}
