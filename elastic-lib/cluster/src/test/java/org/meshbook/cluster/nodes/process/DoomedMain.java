package org.meshbook.cluster.nodes.process;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/// A cluster's process that is going to be killed.
final class DoomedMain {
    private DoomedMain() {}

    public static void main(String[] args) throws InterruptedException {
        var folder = Path.of(args[0]);
        var runtime = new ProcessRuntime(InstantSource.system(), folder);
        runtime.start(
                ProcessRuntimeTest.launch(folder, "sh", "-c", "echo $$; exec sleep 300"), () -> {});
        // Nobody may come to kill it.
        Thread.sleep(Duration.ofMinutes(5));
    }
}
