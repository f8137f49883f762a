package org.meshbook.cluster.embedded;

import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.ClusterContract;

class EmbeddedContractTest extends ClusterContract {
    private final Cluster cluster = EmbeddedCluster.open(Settings.defaults());

    @Override
    protected Cluster cluster() {
        return cluster;
    }
}
