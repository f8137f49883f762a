package org.meshbook.cluster.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Durations;
import org.meshbook.cluster.nodes.pools.FlexStart;
import org.meshbook.cluster.nodes.pools.FlexStart.Terms;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.NodePools;
import org.meshbook.cluster.nodes.pools.TpuSlice;

/// Node pools of one kind: `NAME=NODES` is a pool of plain nodes, `NAME=ACCELERATOR:TOPOLOGY:COUNT`
/// are slices, as in `v5e=tpu-v5-lite-podslice:2x4:4`, and `NAME=ACCELERATOR:TOPOLOGY:flex(...)` is
/// a pool whose slices come on request only, as in `dws=tpu-v6e-slice:4x4:flex(delay=5s,lease=7d)`.
///
/// What may stand in the brackets of `flex`, all of it optional: `delay` from the request to the
/// nodes, `lease` of the nodes, `speed` of the provider's clock (`speed=86400`: a day of the lease
/// passes in a second), `fail` with the reasons why the first requests fail, in their order and
/// with `|` between them.
///
/// @param name of the pool; of several, the first part of their names
/// @param slice the slice that each pool is; empty for plain nodes
/// @param count how many pools; of plain nodes, how many nodes; 0 for a pool on request
/// @param terms of a pool on request; empty for one that is always there
public record Machines(String name, Optional<TpuSlice> slice, int count, Optional<Terms> terms) {
    /// What a pool of plain nodes has: more than this machine, as nothing else holds it back.
    private static final Map<String, String> PLAIN =
            Map.of("cpu", "64", "memory", "256Gi", "pods", "110");

    private static final String FLEX = "flex";
    private static final String COUNT = "[1-9]\\d{0,3}";

    /// @return one pool of two plain nodes, for what asks for no accelerator
    public static Machines plain() {
        return new Machines("default-pool", Optional.empty(), 2, Optional.empty());
    }

    /// @param texts pools as a person types them, with commas between; may be blank
    /// @return the pools
    /// @throws IllegalArgumentException if one cannot be read; one line that says how
    public static List<Machines> all(String texts) {
        return outside(texts, ',').stream()
                .filter(text -> !text.isBlank())
                .map(text -> of(text.strip()))
                .toList();
    }

    /// @param text one pool as a person types it
    /// @return the pools
    /// @throws IllegalArgumentException if it cannot be read; one line that says how
    public static Machines of(String text) {
        int at = text.indexOf('=');
        var parts = at < 1 ? List.<String>of() : outside(text.substring(at + 1), ':');
        if (parts.size() == 1 && parts.getFirst().matches(COUNT)) {
            return new Machines(
                    text.substring(0, at),
                    Optional.empty(),
                    Integer.parseInt(parts.getFirst()),
                    Optional.empty());
        }
        var last = parts.size() == 3 ? parts.getLast() : "1";
        boolean flex = last.equals(FLEX) || (last.startsWith(FLEX + "(") && last.endsWith(")"));
        if (parts.size() < 2 || parts.size() > 3 || !(flex || last.matches(COUNT))) {
            throw new IllegalArgumentException(
                    ("node pool \"%s\" is not understood; write NAME=NODES, or"
                                    + " NAME=ACCELERATOR:TOPOLOGY:COUNT as in"
                                    + " v5e=tpu-v5-lite-podslice:2x4:4, or with flex(delay=5s,"
                                    + "lease=7d) for COUNT")
                            .formatted(text));
        }
        return new Machines(
                text.substring(0, at),
                Optional.of(TpuSlice.of(parts.get(0), parts.get(1))),
                flex ? 0 : Integer.parseInt(last),
                flex ? Optional.of(terms(last)) : Optional.empty());
    }

    /// Parts between separators that stand in no brackets.
    private static List<String> outside(String text, char separator) {
        var parts = new ArrayList<String>();
        int from = 0;
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == separator && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static Terms terms(String flex) {
        var terms = Terms.usual();
        var inside = flex.equals(FLEX) ? "" : flex.substring(FLEX.length() + 1, flex.length() - 1);
        for (var setting : inside.split(",")) {
            if (!setting.isBlank()) {
                terms = with(terms, setting.strip());
            }
        }
        return terms;
    }

    private static Terms with(Terms terms, String setting) {
        var parts = setting.split("=", 2);
        var value = parts.length == 2 ? parts[1] : "";
        return switch (parts[0]) {
            case "delay" ->
                    new Terms(
                            Durations.read(value), terms.lease(), terms.speed(), terms.failures());
            case "lease" ->
                    new Terms(
                            terms.delay(), Durations.read(value), terms.speed(), terms.failures());
            case "speed" -> new Terms(terms.delay(), terms.lease(), speed(value), terms.failures());
            case "fail" ->
                    new Terms(
                            terms.delay(),
                            terms.lease(),
                            terms.speed(),
                            List.of(value.split("\\|", -1)));
            default ->
                    throw new IllegalArgumentException(
                            "flex does not know \"%s\"; it knows delay, lease, speed and fail"
                                    .formatted(setting));
        };
    }

    private static double speed(String value) {
        if (!value.matches("[1-9]\\d{0,6}")) {
            throw new IllegalArgumentException(
                    "speed \"%s\" of flex is no whole number; 86400 makes a day pass in a second"
                            .formatted(value));
        }
        return Double.parseDouble(value);
    }

    /// @return it, as [#of] reads it
    String text() {
        var what = slice.map(s -> s.accelerator() + ":" + s.topology() + ":").orElse("");
        return name + "=" + what + terms.map(Machines::text).orElse(Integer.toString(count));
    }

    private static String text(Terms terms) {
        return "%s(delay=%s,lease=%s,speed=%.0f,fail=%s)"
                .formatted(
                        FLEX,
                        Durations.text(terms.delay()),
                        Durations.text(terms.lease()),
                        terms.speed(),
                        String.join("|", terms.failures()));
    }

    /// Adds the pools that are not there, except those whose nodes come on request.
    void joins(Cluster cluster) {
        var pools = new NodePools(cluster);
        if (slice.isEmpty()) {
            pools.add(new NodePool(name, count, Optional.empty(), false, PLAIN));
            return;
        }
        for (int i = 1; i <= count; i++) {
            pools.add(NodePool.of(count == 1 ? name : name + "-" + i, slice.get()));
        }
    }

    /// @return what a pool on request offers
    Optional<FlexStart.Offer> offer() {
        return terms.map(t -> new FlexStart.Offer(NodePool.of(name, slice.orElseThrow()), t));
    }
}
