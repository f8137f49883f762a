package org.meshbook.cluster.kubernetes;

import java.nio.file.Path;
import java.util.Optional;
import org.meshbook.cluster.kubernetes.login.Kubeconfig;

/// Opens clusters.
public final class Clusters {
    private Clusters() {}

    /// Opens a cluster as kubectl would.
    ///
    /// @param kubeconfig file; empty for `$KUBECONFIG`, else `~/.kube/config`, else the service
    ///   account of the pod that this runs in
    /// @param context which of its contexts; empty for the current one
    /// @return the cluster; nothing was sent to it yet
    /// @throws org.meshbook.cluster.ClusterUnreachable if the file does not say how
    public static KubernetesCluster open(Optional<Path> kubeconfig, Optional<String> context) {
        return new KubernetesCluster(
                Kubeconfig.access(kubeconfig, context, System.getenv()), Patience.DEFAULT);
    }
}
