package org.meshbook.cluster.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.nodes.pools.NodePools;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.Guest;

/// The embedded cluster in the head: it outlives the kernel as long as the head does, and its
/// objects outlive the head.
///
/// Options: `kueue` is the profile, such as `0.17`; `pools` are node pools as [Machines] reads
/// them, with commas between; `lose` and `repair` name a pool, see [Faults]. Facts: `kubeconfig`,
/// `address`, `kueue`.
public final class ClusterGuest implements Guest {
    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public Running start(Path folder, Map<String, String> options) throws IOException {
        try {
            var profile = Profile.of(options.getOrDefault("kueue", Profile.V0_17.text()));
            return new Embedded(LocalCluster.open(folder, profile, machines(options)), profile);
        } catch (IllegalArgumentException misread) {
            throw new UsageError("%s", String.valueOf(misread.getMessage()));
        }
    }

    private static List<Machines> machines(Map<String, String> options) {
        var all = new ArrayList<>(List.of(Machines.plain()));
        Arrays.stream(options.getOrDefault("pools", "").split(","))
                .filter(text -> !text.isBlank())
                .map(text -> Machines.of(text.strip()))
                .forEach(all::add);
        return all;
    }

    private record Embedded(LocalCluster cluster, Profile profile) implements Running {
        @Override
        public Map<String, String> facts(Map<String, String> options) {
            var asked = options.getOrDefault("kueue", profile.text());
            UsageError.require(
                    asked.equals(profile.text()),
                    "the embedded cluster runs with Kueue %s; end it with meshbook head stop to"
                            + " have one with %s",
                    profile.text(),
                    asked);
            try {
                machines(options).forEach(each -> each.joins(cluster.cluster()));
                new Faults(new NodePools(cluster.cluster())).asked(options);
            } catch (IllegalArgumentException misread) {
                throw new UsageError("%s", String.valueOf(misread.getMessage()));
            }
            return Map.of(
                    "kubeconfig",
                    cluster.kubeconfig().toString(),
                    "address",
                    cluster.address().toString(),
                    "kueue",
                    profile.text());
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
