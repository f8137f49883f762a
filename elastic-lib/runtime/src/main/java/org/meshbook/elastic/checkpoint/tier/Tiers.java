package org.meshbook.elastic.checkpoint.tier;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.checkpoint.tier.host.Json;
import org.meshbook.elastic.checkpoint.tier.host.TidyTier;
import org.meshbook.elastic.checkpoint.tier.restore.Catalog;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;

/// The places of one run, and who is asked about them.
final class Tiers {
    private static final System.Logger LOG = System.getLogger(Tiers.class.getName());

    private final Slices slices;
    private final String run;
    private final Optional<StoreAt> ram;
    private final Optional<StoreAt> durable;

    Tiers(Slices slices, String run, CheckpointOptions options) {
        this.slices = slices;
        this.run = run;
        this.ram =
                options.ram()
                        .map(
                                tier ->
                                        new StoreAt(
                                                tier.folder(),
                                                Map.of(),
                                                run,
                                                true,
                                                tier.quotaBytes()));
        this.durable =
                options.durable()
                        .map(
                                tier ->
                                        new StoreAt(
                                                tier.place(),
                                                tier.config(),
                                                run,
                                                false,
                                                Long.MAX_VALUE));
    }

    String run() {
        return run;
    }

    Optional<StoreAt> ram() {
        return ram;
    }

    Optional<StoreAt> durable() {
        return durable;
    }

    Catalog catalog() {
        return new Catalog(slices, ram, durable);
    }

    /// Hosts that tidy up in a store: all where each has a folder of its own, else one.
    List<Device> keepers(StoreAt store) {
        var hosts = catalog().hosts();
        return store.eachHost() || hosts.isEmpty() ? hosts : hosts.subList(0, 1);
    }

    /// Tidies up; what a lost host leaves behind is found at the next start.
    void tidy(TidyTier.Request request, String lane) throws InterruptedException {
        var keepers = keepers(request.store());
        if (keepers.isEmpty()) {
            return;
        }
        var results =
                slices.onHosts(
                                HostCall.of(TidyTier.class, keepers)
                                        .arguments(Json.bytes(request))
                                        .lane(lane))
                        .outcomes();
        results.stream()
                .flatMap(result -> result.failure().stream())
                .forEach(
                        why ->
                                LOG.log(
                                        System.Logger.Level.WARNING,
                                        "run={0} not tidied: {1}",
                                        run,
                                        why.getMessage()));
    }

    @Override
    public String toString() {
        var places = new ArrayList<String>();
        ram.ifPresent(at -> places.add(at.place() + " on each host"));
        durable.ifPresent(at -> places.add(at.place()));
        return String.join(" and ", places);
    }
}
