package org.meshbook.cluster.kubernetes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.ClusterContract;
import org.meshbook.cluster.embedded.EmbeddedCluster;
import org.meshbook.cluster.embedded.Settings;
import org.meshbook.cluster.rest.ApiServer;

/// The embedded cluster through its own server, over TLS, as any client sees it.
class KubernetesContractTest extends ClusterContract {
    @TempDir private Path folder;
    private ApiServer server;
    private KubernetesCluster cluster;

    @BeforeEach
    void open() throws IOException {
        server = ApiServer.start(EmbeddedCluster.open(Settings.defaults()), "secret", 0);
        server.writeKubeconfig(folder.resolve("config"));
        cluster = Clusters.open(Optional.of(folder.resolve("config")), Optional.empty());
    }

    @AfterEach
    void close() {
        cluster.close();
        server.close();
    }

    @Override
    protected Cluster cluster() {
        return cluster;
    }
}
