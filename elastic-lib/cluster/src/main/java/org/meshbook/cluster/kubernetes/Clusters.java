package org.meshbook.cluster.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.meshbook.cluster.kubernetes.login.Kubeconfig;

/// Opens clusters.
public final class Clusters {
    private static final System.Logger LOG = System.getLogger(Clusters.class.getName());
    private static final String NOBODY = "https://127.0.0.1:1";

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

    /// Loads, beside what the caller does next, the classes that a connection needs: some thousand,
    /// for half a second. Returns at once.
    public static void prepare() {
        Thread.ofPlatform().daemon().name("meshbook-cluster-prepare").start(Clusters::load);
    }

    private static void load() {
        try {
            SSLContext.getDefault().createSSLEngine().getSupportedProtocols();
            var nobody = new ConfigBuilder(Config.empty()).withMasterUrl(NOBODY).build();
            // Named by its interface: the builder's own class is not visible.
            HttpClient.Builder builder = new OkHttpClientFactory().newBuilder(nobody);
            builder.build().close();
        } catch (GeneralSecurityException | RuntimeException early) {
            LOG.log(Level.DEBUG, "the first connection will say it", early);
        }
    }
}
