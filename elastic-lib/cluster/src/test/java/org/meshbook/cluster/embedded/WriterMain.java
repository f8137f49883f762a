package org.meshbook.cluster.embedded;

import java.nio.file.Path;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Owners;

/// A process that makes jobs with a config map each, deletes every third job, and says what is
/// done, until it is killed.
final class WriterMain {
    private WriterMain() {}

    public static void main(String[] arguments) {
        var folder = Path.of(arguments[0]);
        try (var cluster = EmbeddedCluster.open(Settings.defaults().withFolder(folder))) {
            for (int i = 0; ; i++) {
                var queue =
                        cluster.create(
                                Rig.parse(
                                        """
                                        apiVersion: kueue.x-k8s.io/v1beta2
                                        kind: LocalQueue
                                        metadata: {name: q%d}
                                        spec: {clusterQueue: c}
                                        """
                                                .formatted(i)),
                                WriteOptions.PLAIN);
                System.out.println("made q" + i);
                var map = Resource.named(Kinds.CONFIG_MAP, "default", "m" + i);
                cluster.create(map.with(json -> Owners.put(json, queue)), WriteOptions.PLAIN);
                System.out.println("made m" + i);
                if (i % 3 == 0) {
                    cluster.delete(queue.key(), Propagation.BACKGROUND);
                    System.out.println("gone q" + i);
                }
            }
        }
    }
}
