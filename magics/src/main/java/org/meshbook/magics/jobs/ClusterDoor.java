package org.meshbook.magics.jobs;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.magics.slices.Lease;

/// The cluster that this program's magics talk to: the embedded one, in the head, unless another
/// was chosen. It is reached when it is first needed.
///
/// Guarded by itself.
final class ClusterDoor {
    private final Lease lease;
    private @Nullable Open open;

    /// A cluster that can be talked to.
    ///
    /// @param cluster the connection
    /// @param profile which Kueue it has; of a real one, the newest that tables know
    /// @param title as people are told
    /// @param kubeconfig the file by which other clients find it; empty for the usual one
    record Open(
            KubernetesCluster cluster, Profile profile, String title, Optional<Path> kubeconfig) {}

    ClusterDoor(Lease lease) {
        this.lease = lease;
    }

    /// @return the cluster; the embedded one is started if none was chosen
    synchronized Open open() {
        if (open == null || (isEmbedded(open) && !lease.isOpen())) {
            return embedded(Map.of());
        }
        return open;
    }

    private static boolean isEmbedded(Open open) {
        return open.title().startsWith("embedded");
    }

    /// Chooses the embedded cluster.
    ///
    /// @param options as the head's guest understands them
    /// @return it
    synchronized Open embedded(Map<String, String> options) {
        var facts = lease.guest("cluster", new HashMap<>(options));
        var kubeconfig = Optional.of(Path.of(facts.getOrDefault("kubeconfig", "")));
        return use(
                new Open(
                        Clusters.open(kubeconfig, Optional.empty()),
                        Profile.of(facts.getOrDefault("kueue", Profile.V0_17.text())),
                        title(facts),
                        kubeconfig));
    }

    private static String title(Map<String, String> facts) {
        var gates = facts.getOrDefault("gates", "");
        var ignored = facts.getOrDefault("ignored", "");
        return "embedded in the head of this machine, Kueue "
                + facts.get("kueue")
                + (gates.isEmpty() ? "" : " with " + gates)
                + (ignored.isEmpty() ? "" : "; not emulated of its configuration: " + ignored);
    }

    /// Chooses a real cluster.
    ///
    /// @param kubeconfig file; empty for what kubectl would take
    /// @param context empty for the current one
    /// @return it
    synchronized Open real(Optional<Path> kubeconfig, Optional<String> context) {
        var cluster = Clusters.open(kubeconfig, context);
        return use(new Open(cluster, Profile.V0_17, "context " + cluster.context(), kubeconfig));
    }

    private Open use(Open fresh) {
        if (open != null) {
            open.cluster().close();
        }
        open = fresh;
        return fresh;
    }
}
