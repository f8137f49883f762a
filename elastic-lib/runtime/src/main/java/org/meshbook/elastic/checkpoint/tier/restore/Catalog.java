package org.meshbook.elastic.checkpoint.tier.restore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.checkpoint.tier.format.CheckpointCorrupt;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.format.ManifestText;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.checkpoint.tier.host.Json;
import org.meshbook.elastic.checkpoint.tier.host.ReadManifest;
import org.meshbook.elastic.checkpoint.tier.host.ScanTier;
import org.meshbook.elastic.checkpoint.tier.store.Found;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostResult;

/// Finds what can be restored, from what lies in the tiers now and from nothing else.
public final class Catalog {
    private static final String LANE = "checkpoint restore";

    private final Slices slices;
    private final Optional<StoreAt> ram;
    private final Optional<StoreAt> durable;

    /// @param slices whose hosts are asked
    /// @param ram where hosts keep theirs
    /// @param durable where all see the same
    public Catalog(Slices slices, Optional<StoreAt> ram, Optional<StoreAt> durable) {
        this.slices = slices;
        this.ram = ram;
        this.durable = durable;
    }

    /// Looks everywhere.
    ///
    /// @param refused gets why a step that is there cannot be taken
    /// @return complete steps, the best first: greatest step, then order of tiers
    /// @throws InterruptedException if the thread is interrupted
    public List<Candidate> find(List<Refusal> refused) throws InterruptedException {
        var found = new ArrayList<Candidate>();
        var hosts = hosts();
        if (hosts.isEmpty()) {
            return found;
        }
        if (ram.isPresent()) {
            inRam(ram.get(), hosts, found, refused);
        }
        if (durable.isPresent()) {
            inDurable(durable.get(), hosts.getFirst(), found, refused);
        }
        found.sort(
                Comparator.comparingLong(Candidate::step)
                        .reversed()
                        .thenComparing(Candidate::tier));
        return found;
    }

    /// One device of each host of the slices that are healthy now.
    ///
    /// @return the devices in order
    public List<Device> hosts() {
        var healthy = slices.view().healthy();
        var hosts = new ArrayList<Device>();
        for (var device : slices.devices()) {
            if (device.index() == 0 && healthy.contains(device.slice())) {
                hosts.add(device);
            }
        }
        return hosts;
    }

    private record Save(long step, String attempt) {}

    private void inRam(
            StoreAt store, List<Device> hosts, List<Candidate> found, List<Refusal> refused)
            throws InterruptedException {
        // 1. what each host has
        var saves = new HashMap<Save, Map<Place, Found>>();
        var visible = new HashMap<Place, List<Place>>();
        for (var result : scan(store, hosts)) {
            var place = new Place(result.slice(), result.host());
            if (result.failure().isPresent()) {
                refused.add(new Refusal(Tier.LOCAL, 0, told(result.failure().get())));
                continue;
            }
            var answer = Json.value(result.value(), ScanTier.Answer.class);
            visible.put(place, answer.visible());
            for (var step : answer.steps()) {
                if (step.damage().isEmpty()) {
                    saves.computeIfAbsent(
                                    new Save(step.step(), step.attempt()), _ -> new HashMap<>())
                            .put(place, step);
                } else {
                    refused.add(new Refusal(Tier.LOCAL, step.step(), place + ": " + step.damage()));
                }
            }
        }
        // 2. whether that is all of it
        for (var entry : saves.entrySet()) {
            var holders = entry.getValue();
            manifest(
                            store,
                            entry.getKey().step(),
                            device(holders.keySet().iterator().next()),
                            refused)
                    .ifPresent(
                            manifest ->
                                    complete(
                                            store,
                                            manifest,
                                            new Holders(holders, visible),
                                            found,
                                            refused));
        }
    }

    private static void complete(
            StoreAt store,
            Manifest manifest,
            Holders holders,
            List<Candidate> found,
            List<Refusal> refused) {
        var owners = new TreeMap<String, Place>();
        var others = new TreeMap<String, Place>();
        var missing = new ArrayList<String>();
        var away = new ArrayList<String>();
        boolean copied = false;
        for (var file : manifest.files()) {
            boolean own = holds(holders, file.owner(), file);
            var peer =
                    file.peers().stream().filter(place -> holds(holders, place, file)).findFirst();
            if (own) {
                owners.put(file.name(), file.owner());
                others.put(file.name(), file.owner());
            }
            peer.ifPresent(place -> others.put(file.name(), place));
            if (!own) {
                away.add("%s of %s".formatted(file.name(), file.owner()));
            }
            copied |= peer.isPresent();
            if (!own && peer.isEmpty()) {
                missing.add("%s of %s".formatted(file.name(), file.owner()));
            }
        }
        if (away.isEmpty()) {
            found.add(new Candidate(Tier.LOCAL, store, manifest, owners, holders.visible()));
        }
        if (!away.isEmpty()) {
            refused.add(
                    new Refusal(
                            Tier.LOCAL,
                            manifest.step(),
                            String.join(", ", away) + " is not there whole"));
        }
        if (missing.isEmpty() && copied) {
            found.add(new Candidate(Tier.PEER, store, manifest, others, holders.visible()));
        }
        if (!missing.isEmpty()) {
            refused.add(
                    new Refusal(
                            Tier.PEER,
                            manifest.step(),
                            "incomplete: %s is whole on no host"
                                    .formatted(String.join(", ", missing))));
        }
    }

    /// What each host has of a save, and whose folders it can read.
    private record Holders(Map<Place, Found> of, Map<Place, List<Place>> visible) {}

    private static boolean holds(Holders holders, Place place, Manifest.File file) {
        var there = holders.of().get(place);
        return there != null && Long.valueOf(file.length()).equals(there.files().get(file.name()));
    }

    private void inDurable(StoreAt store, Device host, List<Candidate> found, List<Refusal> refused)
            throws InterruptedException {
        for (var result : scan(store, List.of(host))) {
            if (result.failure().isPresent()) {
                refused.add(new Refusal(Tier.DURABLE, 0, told(result.failure().get())));
                continue;
            }
            for (var step : Json.value(result.value(), ScanTier.Answer.class).steps()) {
                if (!step.damage().isEmpty()) {
                    refused.add(new Refusal(Tier.DURABLE, step.step(), step.damage()));
                    continue;
                }
                var manifest = manifest(store, step.step(), host, refused);
                if (manifest.isPresent()) {
                    whole(manifest.get(), step)
                            .ifPresentOrElse(
                                    why -> refused.add(new Refusal(Tier.DURABLE, step.step(), why)),
                                    () ->
                                            found.add(
                                                    new Candidate(
                                                            Tier.DURABLE,
                                                            store,
                                                            manifest.get(),
                                                            Map.of(),
                                                            Map.of())));
                }
            }
        }
    }

    private static Optional<String> whole(Manifest manifest, Found step) {
        for (var file : manifest.files()) {
            var length = step.files().get(file.name());
            if (length == null) {
                return Optional.of("incomplete: %s is missing".formatted(file.name()));
            }
            if (length != file.length()) {
                return Optional.of(
                        "incomplete: %s has %d bytes, %d were written"
                                .formatted(file.name(), length, file.length()));
            }
        }
        return Optional.empty();
    }

    private List<HostResult> scan(StoreAt store, List<Device> hosts) throws InterruptedException {
        return slices.onHosts(
                        HostCall.of(ScanTier.class, hosts)
                                .arguments(Json.bytes(new ScanTier.Request(store)))
                                .lane(LANE))
                .outcomes();
    }

    private Optional<Manifest> manifest(
            StoreAt store, long step, Device host, List<Refusal> refused)
            throws InterruptedException {
        var tier = store.eachHost() ? Tier.LOCAL : Tier.DURABLE;
        try {
            var text =
                    slices.onHosts(
                                    HostCall.of(ReadManifest.class, List.of(host))
                                            .arguments(
                                                    Json.bytes(
                                                            new ReadManifest.Request(store, step)))
                                            .lane(LANE))
                            .values()
                            .getFirst();
            return Optional.of(ManifestText.decode(text));
        } catch (CheckpointCorrupt e) {
            refused.add(new Refusal(tier, step, told(e)));
        } catch (ElasticException e) {
            refused.add(new Refusal(tier, step, "its manifest cannot be read: " + told(e)));
        }
        return Optional.empty();
    }

    private Device device(Place place) {
        return slices.devices().stream()
                .filter(d -> d.slice() == place.slice() && d.host() == place.host())
                .findFirst()
                .orElseThrow();
    }

    private static String told(ElasticException failure) {
        return String.valueOf(failure.getMessage());
    }
}
