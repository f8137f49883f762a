package org.meshbook.elastic.checkpoint.tier.save;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.host.CommitStep;
import org.meshbook.elastic.checkpoint.tier.host.Json;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.FileOf;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.Written;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.checkpoint.tier.store.Writer;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostResults;

/// One step on its way into one store.
public final class TierWrite {
    private final Slices slices;
    private final StoreAt store;
    private final Writer writer;
    private final long step;
    private final String lane;

    /// @param slices whose hosts write
    /// @param store where to
    /// @param writer who does it
    /// @param step number of the step
    /// @param lane of the calls
    public TierWrite(Slices slices, StoreAt store, Writer writer, long step, String lane) {
        this.slices = slices;
        this.store = store;
        this.writer = writer;
        this.step = step;
        this.lane = lane;
    }

    /// Starts to write; never waits.
    ///
    /// @param files who writes what
    /// @param arrays the parts' arrays
    /// @return the call under way
    public HostResults start(List<FileOf> files, List<Array> arrays) {
        var request = new WriteShards.Request(store, step, writer, files);
        return slices.onHosts(
                HostCall.of(
                                WriteShards.class,
                                devices(files.stream().map(FileOf::by).distinct().toList()))
                        .with(arrays)
                        .arguments(Json.bytes(request))
                        .lane(lane));
    }

    /// @param results of [#start]
    /// @return what was written, by the name of the file
    /// @throws org.meshbook.elastic.ElasticException the first failure
    /// @throws InterruptedException if the thread is interrupted
    public static Map<String, Written> written(HostResults results) throws InterruptedException {
        var written = new LinkedHashMap<String, Written>();
        for (var value : results.values()) {
            for (var file : Json.value(value, WriteShards.Answer.class).files()) {
                written.put(file.name(), file);
            }
        }
        return written;
    }

    /// Makes the step visible; waits until it is.
    ///
    /// @param manifest what it holds
    /// @param places hosts that commit
    /// @throws org.meshbook.elastic.ElasticException the first failure
    /// @throws InterruptedException if the thread is interrupted
    public void commit(Manifest manifest, List<Place> places) throws InterruptedException {
        var request = new CommitStep.Request(store, manifest);
        var unused =
                slices.onHosts(
                                HostCall.of(CommitStep.class, devices(places))
                                        .arguments(Json.bytes(request))
                                        .lane(lane))
                        .values();
    }

    private List<Device> devices(List<Place> places) {
        var devices = new ArrayList<Device>();
        for (var place : places) {
            slices.devices().stream()
                    .filter(device -> Shares.place(device).equals(place))
                    .findFirst()
                    .ifPresent(devices::add);
        }
        return devices;
    }
}
