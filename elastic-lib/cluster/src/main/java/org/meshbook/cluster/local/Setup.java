package org.meshbook.cluster.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.kueue.config.KueueConfiguration;
import org.meshbook.cluster.queue.Rules;

/// How an embedded cluster is made: which Kueue, with which gates and configuration, and the pools
/// whose nodes come on request.
///
/// It is kept in the cluster's folder, so that a cluster that is opened again is the same.
///
/// @param profile which Kueue
/// @param gates feature gates, `NAME=true,...`; empty for those of the release
/// @param config a `Configuration` of Kueue; empty for the one that is shipped
/// @param pools all pools that were asked for, in their order
public record Setup(Profile profile, String gates, String config, List<Machines> pools) {
    private static final String FILE = "setup.properties";

    public Setup {
        pools = List.copyOf(pools);
    }

    /// @return as shipped, with two plain nodes
    public static Setup usual() {
        return new Setup(Profile.V0_17, "", "", List.of(Machines.plain()));
    }

    public Setup withProfile(Profile other) {
        return new Setup(other, gates, config, pools);
    }

    /// @param more pools besides those that are there
    public Setup withPools(List<Machines> more) {
        var all = new ArrayList<>(pools);
        for (var each : more) {
            all.removeIf(there -> there.name().equals(each.name()));
            all.add(each);
        }
        return new Setup(profile, gates, config, all);
    }

    /// @param options what was asked for: `kueue`, `gates`, `config`, `pools`; what is not named
    ///   stays as it is
    /// @return the setup with it
    /// @throws IllegalArgumentException if an option cannot be read; one line
    public Setup with(Map<String, String> options) {
        var kueue = options.get("kueue");
        var asked =
                new Setup(
                        kueue == null ? profile : Profile.of(kueue),
                        options.getOrDefault("gates", gates),
                        options.getOrDefault("config", config),
                        pools);
        var unused = asked.kueue();
        return asked.withPools(Machines.all(options.getOrDefault("pools", "")));
    }

    /// @return what they make of the release's rules
    /// @throws IllegalArgumentException if gates or configuration cannot be read; one line
    KueueConfiguration kueue() {
        var shipped = Rules.of(profile);
        var configured =
                config.isEmpty()
                        ? new KueueConfiguration(shipped, List.of())
                        : KueueConfiguration.read(config, shipped);
        return gates.isEmpty()
                ? configured
                : new KueueConfiguration(
                        KueueConfiguration.gates(gates, configured.rules()), configured.ignored());
    }

    /// @param folder a cluster's folder
    /// @return how the cluster in it was made; the usual if there is none
    /// @throws IOException if it cannot be read
    static Setup read(Path folder) throws IOException {
        var file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return usual();
        }
        var kept = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            kept.load(in);
        }
        var options = new TreeMap<String, String>();
        kept.stringPropertyNames().forEach(name -> options.put(name, kept.getProperty(name)));
        return usual().with(options);
    }

    /// Keeps what has to be known again: of the pools, those on request; nodes are objects.
    void write(Path folder) throws IOException {
        var kept = new Properties();
        kept.setProperty("kueue", profile.text());
        kept.setProperty("gates", gates);
        kept.setProperty("config", config);
        kept.setProperty(
                "pools",
                pools.stream()
                        .filter(pool -> pool.terms().isPresent())
                        .map(Machines::text)
                        .collect(Collectors.joining(",")));
        try (var out = Files.newBufferedWriter(folder.resolve(FILE))) {
            kept.store(out, null);
        }
    }
}
