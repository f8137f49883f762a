package org.meshbook.cluster.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.control.ControlLoop;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.manifest.Manifest;

/// A cluster and its controllers under a clock that a test turns by hand.
///
/// The clock stands at 2026-12-01T00:00:00Z at first. Uids and generated names are the same in
/// every run.
public final class Rig implements AutoCloseable {
    private static final int ENDLESS = 100_000;

    private Instant now = Instant.parse("2026-12-01T00:00:00Z");
    private final EmbeddedCluster cluster;
    private final ControlLoop loop;

    /// What controllers are made of.
    public record Parts(Cluster cluster, InstantSource clock) {}

    private Rig(UnaryOperator<Settings> settings, Function<Parts, List<Controller>> controllers) {
        InstantSource clock = this::now;
        cluster =
                EmbeddedCluster.open(
                        settings.apply(
                                Settings.defaults().withClock(clock).withRandom(new Random(1))));
        loop = new ControlLoop(cluster, clock, controllers.apply(new Parts(cluster, clock)));
        loop.open();
    }

    /// @param controllers makes the controllers
    /// @return a cluster without hooks
    public static Rig with(Function<Parts, List<Controller>> controllers) {
        return with(settings -> settings, controllers);
    }

    /// @param settings changes the cluster's settings, such as its hooks
    /// @param controllers makes the controllers
    /// @return the cluster
    public static Rig with(
            UnaryOperator<Settings> settings, Function<Parts, List<Controller>> controllers) {
        return new Rig(settings, controllers);
    }

    public EmbeddedCluster cluster() {
        return cluster;
    }

    public Instant now() {
        return now;
    }

    /// Works off what is ready, without moving the clock.
    public void settle() {
        if (loop.settle(ENDLESS) == ENDLESS) {
            throw new AssertionError("controllers do not come to rest");
        }
    }

    /// Turns the clock on; each timer on the way fires at its own time.
    ///
    /// @param time how far
    public void advance(Duration time) {
        settle();
        var until = now.plus(time);
        for (var due = loop.nextDue();
                due.isPresent() && !due.get().isAfter(until);
                due = loop.nextDue()) {
            now = due.get().isAfter(now) ? due.get() : now;
            settle();
        }
        now = until;
        settle();
    }

    /// @param text one object, see [#parse]
    /// @return it, as stored
    public Resource create(String text) {
        return cluster.create(parse(text), WriteOptions.PLAIN);
    }

    /// @param kind kind
    /// @param path `name` or `namespace/name`; names of kinds with namespaces are in `default`
    /// @return the object
    public Resource at(ResourceKind kind, String path) {
        int slash = path.indexOf('/');
        var space = slash < 0 ? "default" : path.substring(0, slash);
        return cluster.find(kind.key(space, path.substring(slash + 1)))
                .orElseThrow(() -> new AssertionError("no %s %s".formatted(kind.kind(), path)));
    }

    /// @param text one object in YAML
    /// @return it
    public static Resource parse(String text) {
        return Manifest.read("test", text).complete().getFirst().resource();
    }

    @Override
    public void close() {
        loop.close();
        cluster.close();
    }
}
