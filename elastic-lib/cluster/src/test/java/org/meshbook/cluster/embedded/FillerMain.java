package org.meshbook.cluster.embedded;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// A process that writes objects until its disk is full, says so, and goes on when there is room.
final class FillerMain {
    private static final int OBJECTS = 200;
    private static final int OBJECT_BYTES = 20_000;
    private static final long PAUSE_MILLIS = 50;

    private FillerMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        var filler = "x".repeat(OBJECT_BYTES);
        try (var cluster =
                EmbeddedCluster.open(Settings.defaults().withFolder(Path.of(arguments[0])))) {
            for (int made = 0; made < OBJECTS; ) {
                var map =
                        Resource.named(Kinds.CONFIG_MAP, "default", "m" + made)
                                .with(json -> json.putObject("data").put("k", filler));
                try {
                    if (cluster.find(map.key()).isEmpty()) {
                        cluster.create(map, WriteOptions.PLAIN);
                    }
                    System.out.println("made m" + made);
                    made++;
                } catch (ApiException refused) {
                    System.out.println("refused " + refused.getMessage());
                    pause();
                }
            }
        }
        System.out.println("closed");
    }

    private static void pause() throws InterruptedException {
        if (new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("nobody counts down");
        }
    }
}
