package org.meshbook.elastic.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostCallFailed;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.slices.hosts.HostResult;
import org.meshbook.elastic.slices.hosts.HostResults;
import org.meshbook.elastic.slices.hosts.HostShard;

/// A call of a host function on virtual hosts. The function itself runs at once, for real; its
/// result is there when the virtual time has passed, unless the host is lost by then.
final class SimCall implements HostResults {
    private final Simulation simulation;
    private final Duration doneAt;
    private final List<Running> running = new ArrayList<>();
    private final List<Array> arrays = new ArrayList<>();

    private record Place(int slice, int host) {}

    /// One host: since when it would have to be lost, and what the function returned.
    private record Running(Place place, long since, Optional<HostResult> result) {}

    SimCall(Simulation simulation, HostCall call, List<SimArray> inputs, Duration time) {
        this.simulation = simulation;
        var start = simulation.clock().elapsed();
        for (var input : inputs) {
            start = input.readyAt.compareTo(start) > 0 ? input.readyAt : start;
        }
        this.doneAt = start.plus(time);
        // 1. memory for what is made
        var made = new ArrayList<HostArray>();
        for (var output : call.outputs()) {
            made.add(HostArray.zeros(output.type()));
        }
        // 2. every host in turn
        var outputs = new LinkedHashMap<Place, List<List<HostShard>>>();
        for (var device : call.devices()) {
            var place = new Place(device.slice(), device.host());
            if (outputs.containsKey(place)) {
                continue;
            }
            var mine = new ArrayList<List<HostShard>>();
            for (var output : call.outputs()) {
                mine.add(zeros(ShardMap.of(output.type(), output.sharding()), place));
            }
            outputs.put(place, mine);
            var shards = new ArrayList<List<HostShard>>();
            for (var input : inputs) {
                shards.add(cut(input, place));
            }
            running.add(run(call, place, shards, mine));
        }
        // 3. outputs, put together
        for (int i = 0; i < made.size(); i++) {
            for (var shards : outputs.values()) {
                for (var shard : shards.get(i)) {
                    shard.region().paste(shard.data().bytes(), made.get(i));
                }
            }
            var array =
                    simulation.born(made.get(i), call.outputs().get(i).sharding(), time, inputs);
            arrays.add(array);
        }
    }

    private static List<HostShard> zeros(ShardMap map, Place place) {
        var shards = new ArrayList<HostShard>();
        map.regions()
                .forEach(
                        (region, devices) -> {
                            if (devices.stream().anyMatch(device -> on(device, place))) {
                                shards.add(new HostShard(region, HostArray.zeros(map.shardType())));
                            }
                        });
        return shards;
    }

    private static List<HostShard> cut(SimArray array, Place place) {
        var map = ShardMap.of(array.type(), array.sharding);
        var shards = new ArrayList<HostShard>();
        map.regions()
                .forEach(
                        (region, devices) -> {
                            if (devices.stream().anyMatch(device -> on(device, place))) {
                                shards.add(new HostShard(region, region.cut(array.value)));
                            }
                        });
        return shards;
    }

    private static boolean on(Device device, Place place) {
        return device.slice() == place.slice() && device.host() == place.host();
    }

    private Running run(
            HostCall call,
            Place place,
            List<List<HostShard>> shards,
            List<List<HostShard>> outputs) {
        var head = simulation.head();
        long since = head.generation() + 1;
        if (!head.slice(place.slice()).alive) {
            return new Running(place, 0, Optional.empty());
        }
        return new Running(
                place,
                since,
                Optional.of(
                        call(
                                head.slice(place.slice()).functions,
                                call,
                                new Host(place.slice(), place.host(), shards, outputs, _ -> {}))));
    }

    /// Runs a function on a host.
    ///
    /// @param objects those that the host has made so far
    static HostResult call(Map<Class<?>, HostFunction> objects, HostCall call, Host host) {
        try {
            var function = objects.get(call.function());
            if (function == null) {
                var constructor = call.function().getDeclaredConstructor();
                constructor.setAccessible(true);
                function = constructor.newInstance();
                objects.put(call.function(), function);
            }
            return new HostResult(
                    host.slice(),
                    host.host(),
                    function.call(host, call.arguments()),
                    Optional.empty());
        } catch (Exception e) {
            var text = e.getMessage();
            var failure =
                    new HostCallFailed(
                            "host function '%s' on %s failed: %s"
                                    .formatted(
                                            call.function().getName(),
                                            host.name(),
                                            text == null ? e.toString() : text));
            return new HostResult(host.slice(), host.host(), new byte[0], Optional.of(failure));
        }
    }

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
        var clock = simulation.clock();
        var end = clock.elapsed().plus(timeout);
        while (true) {
            boolean silent =
                    running.stream()
                            .anyMatch(each -> simulation.head().silent(each.place().slice()));
            boolean untold =
                    running.stream()
                            .filter(this::lost)
                            .map(each -> simulation.head().slice(each.place().slice()))
                            .anyMatch(slice -> !slice.alive && !slice.told());
            if (!silent && !untold && doneAt.compareTo(clock.elapsed()) <= 0) {
                return true;
            }
            if (clock.elapsed().compareTo(end) >= 0) {
                return false;
            }
            var left = end.minus(clock.elapsed());
            var work = doneAt.minus(clock.elapsed());
            clock.sleep(work.isPositive() && work.compareTo(left) < 0 ? work : left);
        }
    }

    private boolean lost(Running each) {
        return each.result().isEmpty()
                || !simulation
                        .head()
                        .lostSince(Set.of(each.place().slice()), each.since())
                        .isEmpty();
    }

    @Override
    public List<HostResult> outcomes() throws InterruptedException {
        await(Duration.ofDays(1_000));
        return running.stream().map(this::outcome).toList();
    }

    private HostResult outcome(Running each) {
        if (!lost(each)) {
            return each.result().orElseThrow();
        }
        var loss =
                simulation
                        .head()
                        .lost(Set.of(each.place().slice()), "the result of a host function");
        return new HostResult(
                each.place().slice(), each.place().host(), new byte[0], Optional.of(loss));
    }

    @Override
    public List<Array> arrays() {
        return List.copyOf(arrays);
    }

    @Override
    public long progressBytes() {
        return 0;
    }

    /// Room for a part that a virtual host makes.
    static HostShard room(ArrayType type, Region region) {
        return new HostShard(region, HostArray.zeros(new ArrayType(type.dtype(), region.shape())));
    }
}
