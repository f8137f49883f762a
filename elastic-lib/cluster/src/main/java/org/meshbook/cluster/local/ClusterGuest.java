package org.meshbook.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.meshbook.cluster.nodes.pools.NodePools;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.Guest;
import org.meshbook.elastic.slices.supply.Supply;

/// The embedded cluster in the head: it outlives the kernel as long as the head does, and its
/// objects outlive the head.
///
/// Options: `kueue` is the profile, such as `0.17`; `pools` are node pools as [Machines] reads
/// them, with commas between; `gates` are feature gates, `NAME=true` with commas between; `config`
/// is the text of a `Configuration` of Kueue; `fresh` is `true` for an empty cluster anew; `lose`
/// and `repair` name a pool, see [Faults]. Facts: `kubeconfig`, `address`, `kueue`, `gates`, and
/// `ignored`, what of the configuration makes no difference here.
public final class ClusterGuest implements Guest {
    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public Running start(Path folder, Map<String, String> options) throws IOException {
        return new Embedded(folder, options);
    }

    private static final class Embedded implements Running {
        /// What of a cluster's folder is not its user's own; token, key and port stay, so that
        /// clients reach the new one, too.
        private static final List<String> MADE = List.of("objects", "pods", "setup.properties");

        private final Path folder;
        private LocalCluster cluster;
        private boolean asked;

        Embedded(Path folder, Map<String, String> options) throws IOException {
            this.folder = folder;
            if (fresh(options)) {
                empty();
            }
            var kept = Setup.read(folder);
            cluster = LocalCluster.open(folder, understood(kept, options));
        }

        private static boolean fresh(Map<String, String> options) {
            return options.getOrDefault("fresh", "").equals("true");
        }

        private static Setup understood(Setup setup, Map<String, String> options) {
            try {
                return setup.with(options);
            } catch (IllegalArgumentException misread) {
                throw new UsageError("%s", String.valueOf(misread.getMessage()));
            }
        }

        @Override
        public Map<String, String> facts(Map<String, String> options) {
            try {
                if (fresh(options) && asked) {
                    anew(understood(Setup.usual(), options));
                } else {
                    same(cluster.setup(), understood(cluster.setup(), options));
                    cluster.add(Machines.all(options.getOrDefault("pools", "")));
                }
                new Faults(new NodePools(cluster.cluster())).asked(options);
                asked = true;
            } catch (IllegalArgumentException misread) {
                throw new UsageError("%s", String.valueOf(misread.getMessage()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            var setup = cluster.setup();
            var facts = new TreeMap<String, String>();
            facts.put("kubeconfig", cluster.kubeconfig().toString());
            facts.put("address", cluster.address().toString());
            facts.put("kueue", setup.profile().text());
            facts.put("gates", setup.gates());
            facts.put("ignored", String.join(", ", setup.kueue().ignored()));
            return facts;
        }

        private void anew(Setup setup) throws IOException {
            UsageError.require(
                    !cluster.supply().isUsed(),
                    "slices come through the queues of this cluster, so it cannot begin anew; free"
                            + " them first, as with %%slices --release");
            cluster.close();
            empty();
            cluster = LocalCluster.open(folder, setup);
        }

        private static void same(Setup runs, Setup wanted) {
            same("Kueue", runs.profile().text(), wanted.profile().text());
            same("the gates", runs.gates(), wanted.gates());
            UsageError.require(
                    runs.config().equals(wanted.config()),
                    "the embedded cluster runs with another configuration of Kueue; end it with"
                            + " meshbook head stop, or begin an empty one with --fresh");
        }

        private static void same(String what, String runs, String wanted) {
            UsageError.require(
                    runs.equals(wanted),
                    "the embedded cluster runs with %s %s; end it with meshbook head stop to have"
                            + " one with %s, or begin an empty one with --fresh",
                    what,
                    runs.isEmpty() ? "of its release" : runs,
                    wanted);
        }

        private void empty() throws IOException {
            for (var name : MADE) {
                var path = folder.resolve(name);
                if (!Files.exists(path)) {
                    continue;
                }
                try (var below = Files.walk(path)) {
                    for (var each : below.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(each);
                    }
                }
            }
        }

        @Override
        public Optional<Supply> supply() {
            return Optional.of(cluster.supply());
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
