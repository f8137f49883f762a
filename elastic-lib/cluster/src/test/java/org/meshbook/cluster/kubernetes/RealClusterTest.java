package org.meshbook.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.WatchEvent;

/// A real API server, the one that `MESHBOOK_KUBECONFIG` names.
@Timeout(120)
@EnabledIfEnvironmentVariable(
        named = "MESHBOOK_KUBECONFIG",
        matches = ".+",
        disabledReason = "no real API server: set MESHBOOK_KUBECONFIG to a kubeconfig")
class RealClusterTest {
    @Test
    void anObjectIsAppliedWatchedAndRemoved() throws Exception {
        var file = Path.of(System.getenv("MESHBOOK_KUBECONFIG"));
        var heard = new LinkedBlockingQueue<WatchEvent>();
        var map = Resource.named(Kinds.CONFIG_MAP, "default", "meshbook-" + System.nanoTime());
        try (var cluster = Clusters.open(Optional.of(file), Optional.empty());
                var watch =
                        cluster.watch(
                                Kinds.CONFIG_MAP,
                                event -> {
                                    if (event.object().name().equals(map.name())) {
                                        heard.add(event);
                                    }
                                })) {
            assertThat(watch).isNotNull();
            var made = cluster.apply(map, WriteOptions.PLAIN);
            assertThat(cluster.find(map.key())).contains(made);
            cluster.remove(map.key());
            assertThat(heard.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(new WatchEvent(WatchEvent.Type.ADDED, made));
            var last = heard.poll(60, TimeUnit.SECONDS);
            assertThat(last).isNotNull();
            assertThat(last.type()).isEqualTo(WatchEvent.Type.DELETED);
        }
    }
}
