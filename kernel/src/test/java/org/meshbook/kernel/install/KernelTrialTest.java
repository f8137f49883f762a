package org.meshbook.kernel.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelTrialTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin/java").toString();

    @TempDir Path folder;

    private Path installed(List<String> command) {
        return new KernelSpec(new KernelName("trial"), "Trial", command, Map.of()).install(folder);
    }

    @Test
    void anInstalledKernelAnswersComputesAndLeaves() throws InterruptedException {
        var kernel =
                List.of(
                        JAVA,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.meshbook.kernel.app.Main",
                        "kernel");
        var trial = KernelTrial.run(installed(kernel), PATIENCE);
        assertThat(trial.answered()).isPositive().isLessThanOrEqualTo(trial.computed());
        assertThat(trial.ended()).isLessThan(PATIENCE);
    }

    @Test
    void aKernelThatDoesNotStartSaysWhy() {
        assertThatThrownBy(
                        () -> KernelTrial.run(installed(List.of(JAVA, "-XX:+Nonsense")), PATIENCE))
                .isInstanceOf(NotInstalled.class)
                .hasMessageContaining("ended with status 1 before it answered")
                .hasMessageContaining("it said: ");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> KernelTrial.run(installed(List.of("/no/such/program")), PATIENCE))
                .hasMessageContaining("/no/such/program");
    }
}
