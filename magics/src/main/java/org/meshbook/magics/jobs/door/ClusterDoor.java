package org.meshbook.magics.jobs.door;

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
public final class ClusterDoor {
    private final Lease lease;
    private @Nullable Open open;

    /// A cluster that can be talked to.
    ///
    /// @param cluster the connection
    /// @param profile which Kueue it has; of a real one, the newest that tables know
    /// @param title as people are told
    /// @param kubeconfig the file by which other clients find it; empty for the usual one
    /// @param embedded whether it lives in the head, and ends with it
    public record Open(
            KubernetesCluster cluster,
            Profile profile,
            String title,
            Optional<Path> kubeconfig,
            boolean embedded) {}

    /// @param lease the session of this process, which keeps the embedded cluster
    public ClusterDoor(Lease lease) {
        this.lease = lease;
    }

    /// @return the cluster; the embedded one is started if none was chosen
    public synchronized Open open() {
        if (open == null || (open.embedded() && !lease.isOpen())) {
            return embedded(Map.of());
        }
        return open;
    }

    /// @return the cluster, if one was reached before; for completion, which starts nothing
    public synchronized Optional<Open> opened() {
        return Optional.ofNullable(open).filter(o -> !o.embedded() || lease.isOpen());
    }

    /// Chooses the embedded cluster.
    ///
    /// @param options as the head's guest understands them
    /// @return it
    public synchronized Open embedded(Map<String, String> options) {
        if (open == null) {
            // The head needs about as long to start its cluster.
            Clusters.prepare();
        }
        var facts = lease.guest("cluster", new HashMap<>(options));
        lease.elsewhere(Optional.empty());
        var kubeconfig = Optional.of(Path.of(facts.getOrDefault("kubeconfig", "")));
        return use(
                new Open(
                        Clusters.open(kubeconfig, Optional.empty()),
                        Profile.of(facts.getOrDefault("kueue", Profile.V0_17.text())),
                        title(facts),
                        kubeconfig,
                        true));
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
    public synchronized Open real(Optional<Path> kubeconfig, Optional<String> context) {
        var cluster = Clusters.open(kubeconfig, context);
        lease.elsewhere(Optional.of("context " + cluster.context()));
        return use(
                new Open(
                        cluster, Profile.V0_17, "context " + cluster.context(), kubeconfig, false));
    }

    private Open use(Open fresh) {
        if (open != null) {
            open.cluster().close();
        }
        open = fresh;
        return fresh;
    }
}
