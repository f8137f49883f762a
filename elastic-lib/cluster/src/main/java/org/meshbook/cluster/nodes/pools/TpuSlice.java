package org.meshbook.cluster.nodes.pools;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// A slice of TPU chips: which accelerator, in which form, and so how many hosts.
///
/// A slice with several hosts has four chips a host; one that fits on a host has one, four or
/// eight.
///
/// @param accelerator value of `cloud.google.com/gke-tpu-accelerator`
/// @param topology value of `cloud.google.com/gke-tpu-topology`, such as `2x4`
/// @param chipsPerHost chips of one host, as the machine type's `-4t` says
public record TpuSlice(String accelerator, String topology, int chipsPerHost) {
    private static final Pattern TOPOLOGY = Pattern.compile("[1-9]\\d*(x[1-9]\\d*){1,2}");
    private static final int SEVERAL_HOSTS = 4;

    /// Machine types without the number of chips, and the word by which programs know the type.
    private static final Map<String, Type> TYPES =
            Map.of(
                    "tpu-v4-podslice", new Type("ct4p-hightpu", "v4", 2, 3),
                    "tpu-v5-lite-podslice", new Type("ct5lp-hightpu", "v5litepod", 1, 2),
                    "tpu-v5-lite-device", new Type("ct5l-hightpu", "v5litepod", 1, 2),
                    "tpu-v5p-slice", new Type("ct5p-hightpu", "v5p", 2, 3),
                    "tpu-v6e-slice", new Type("ct6e-standard", "v6e", 1, 2),
                    "tpu7x", new Type("tpu7x-standard", "tpu7x", 2, 3));

    private record Type(String machine, String word, int coresPerChip, int dimensions) {}

    public TpuSlice {
        if (!TYPES.containsKey(accelerator)) {
            throw new IllegalArgumentException(
                    "no TPU \"%s\"; known: %s"
                            .formatted(accelerator, TYPES.keySet().stream().sorted().toList()));
        }
        if (!TOPOLOGY.matcher(topology).matches()
                || topology.split("x").length != TYPES.get(accelerator).dimensions()) {
            throw new IllegalArgumentException(
                    "topology \"%s\" of \"%s\" is not written as %s"
                            .formatted(
                                    topology,
                                    accelerator,
                                    TYPES.get(accelerator).dimensions() == 2 ? "4x4" : "2x2x2"));
        }
        if (chips(topology) % chipsPerHost != 0) {
            throw new IllegalArgumentException(
                    "topology \"%s\" has %d chips, they do not fill hosts of %d"
                            .formatted(topology, chips(topology), chipsPerHost));
        }
    }

    /// @param accelerator accelerator
    /// @param topology topology
    /// @return the slice with as many chips a host as such slices usually have
    public static TpuSlice of(String accelerator, String topology) {
        return new TpuSlice(accelerator, topology, Math.min(SEVERAL_HOSTS, chips(topology)));
    }

    private static int chips(String topology) {
        return TOPOLOGY.matcher(topology).matches()
                ? IntStream.of(
                                Pattern.compile("x")
                                        .splitAsStream(topology)
                                        .mapToInt(Integer::parseInt)
                                        .toArray())
                        .reduce(1, (a, b) -> a * b)
                : 1;
    }

    public int chips() {
        return chips(topology);
    }

    public int hosts() {
        return chips() / chipsPerHost;
    }

    /// @return whether it is more than one host, which come and go together
    public boolean multiHost() {
        return hosts() > 1;
    }

    /// @return such as `ct5lp-hightpu-4t`
    public String machineType() {
        return type().machine() + "-" + chipsPerHost + "t";
    }

    /// @return such as `v6e-16`: older types count cores
    public String acceleratorType() {
        return type().word() + "-" + chips() * type().coresPerChip();
    }

    private Type type() {
        return Optional.ofNullable(TYPES.get(accelerator)).orElseThrow();
    }
}
