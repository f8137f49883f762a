package org.meshbook.cluster.local.supply;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.supply.Standing;
import org.meshbook.elastic.slices.supply.Supply;
import org.meshbook.elastic.slices.supply.SupplyRequest;
import org.meshbook.elastic.slices.supply.WorkerProgram;

/// Gives slices through the queues of a cluster. Asked by one thread.
public final class QueueSupply implements Supply {
    private static final String NAME = "[a-z]([-a-z0-9]{0,38}[a-z0-9])?";

    private final Cluster cluster;
    private final Standings standings;
    private final Path program;

    /// @param cluster whose queues
    /// @param standings hears what they decide
    /// @param program file that stands for the image of a worker
    public QueueSupply(Cluster cluster, Standings standings, Path program) {
        this.cluster = cluster;
        this.standings = standings;
        this.program = program;
    }

    /// @return whether somebody's slices come through it
    public boolean isUsed() {
        return standings.isHeard();
    }

    @Override
    public SupplyRequest settle(SupplyRequest request) {
        var shape = shape(request);
        return request.of(shape.hosts(), shape.devices());
    }

    private Shape shape(SupplyRequest request) {
        // 1. what is named must be there
        var queue = clusterQueue(request.queue());
        requireKnown(
                request.priorityClass(), Kinds.WORKLOAD_PRIORITY_CLASS, "WorkloadPriorityClass");
        requireFree(request);
        // 2. what the queue may choose from
        var offers = chosen(request, queue, Offer.of(cluster, queue));
        var shape = Shape.of(request, offers);
        // 3. it must fit once everybody else is gone
        requireRoom(request, queue, offers, shape);
        return shape;
    }

    private Resource clusterQueue(String name) {
        var found = cluster.find(Kinds.LOCAL_QUEUE.key(SliceJobs.NAMESPACE, name));
        if (found.isEmpty()) {
            throw new UsageError(
                    "no queue '%s' in namespace '%s'; %s",
                    name,
                    SliceJobs.NAMESPACE,
                    known(Kinds.LOCAL_QUEUE, "%apply a LocalQueue first"));
        }
        var behind = found.get().text("spec", "clusterQueue");
        return cluster.find(Kinds.CLUSTER_QUEUE.key("", behind))
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "queue '%s' leads to ClusterQueue '%s', which does not"
                                                + " exist; %%apply it first",
                                        name, behind));
    }

    private void requireKnown(String name, ResourceKind kind, String title) {
        require(
                name.isEmpty() || cluster.find(kind.key("", name)).isPresent(),
                "no %s '%s'; %s",
                title,
                name,
                known(kind, "%apply one first"));
    }

    private String known(ResourceKind kind, String otherwise) {
        var names =
                cluster.list(kind, kind.namespaced() ? SliceJobs.NAMESPACE : "").stream()
                        .map(Resource::name)
                        .sorted()
                        .collect(Collectors.joining(", "));
        return names.isEmpty() ? "there is none: " + otherwise : "there is " + names;
    }

    private void requireFree(SupplyRequest request) {
        require(
                request.name().matches(NAME),
                "jobs cannot be named '%s'; take up to 40 small letters, digits and -",
                request.name());
        for (int slice = 0; slice < request.slices(); slice++) {
            var name = SliceJobs.name(request, slice);
            require(
                    cluster.find(Kinds.JOB_SET.key(SliceJobs.NAMESPACE, name)).isEmpty(),
                    "a JobSet '%s' exists already; choose another --name, or %%delete jobset %s",
                    name,
                    name);
        }
    }

    private static List<Offer> chosen(SupplyRequest request, Resource queue, List<Offer> offers) {
        var names = offers.stream().map(o -> o.flavor().name()).collect(Collectors.joining(", "));
        require(!offers.isEmpty(), "ClusterQueue '%s' has no flavor, so no quota", queue.name());
        if (request.flavor().isEmpty()) {
            return offers;
        }
        var chosen =
                offers.stream().filter(o -> o.flavor().name().equals(request.flavor())).toList();
        require(
                !chosen.isEmpty(),
                "queue '%s' (ClusterQueue '%s') has no flavor '%s'; it has %s",
                request.queue(),
                queue.name(),
                request.flavor(),
                names);
        require(
                offers.size() == 1
                        || !chosen.getFirst().flavor().texts("spec", "nodeLabels").isEmpty(),
                "flavor '%s' has no nodeLabels by which Kueue could tell it from the others (%s);"
                        + " leave --flavor out",
                request.flavor(),
                names);
        return chosen;
    }

    private static void requireRoom(
            SupplyRequest request, Resource queue, List<Offer> offers, Shape shape) {
        long room = offers.stream().mapToLong(offer -> offer.slices(shape)).sum();
        long most = offers.stream().mapToLong(o -> o.units(shape.resource())).max().orElse(0);
        require(
                room > 0,
                "a slice asks for %d %s, and no flavor of ClusterQueue '%s' ever has more than %d;"
                        + " ask for less, or raise the quota",
                shape.total(),
                shape.resource(),
                queue.name(),
                most);
        require(
                room >= request.atLeast(),
                "%d slices at once never fit: ClusterQueue '%s' holds %d of %d %s each; ask for"
                        + " %d, or go on with fewer by --at-least %d",
                request.atLeast(),
                queue.name(),
                room,
                shape.total(),
                shape.resource(),
                room,
                room);
    }

    @Override
    public void request(SupplyRequest request, WorkerProgram worker, Consumer<Standing> told) {
        try {
            write(worker);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        standings.listen(request.session(), told);
        var shape = shape(request);
        for (int slice = 0; slice < request.slices(); slice++) {
            var unused = cluster.create(SliceJobs.of(request, shape, slice), WriteOptions.PLAIN);
        }
    }

    /// A file instead of a command in the manifest: class paths are long, and differ between heads.
    private void write(WorkerProgram worker) throws IOException {
        var script = new StringBuilder("#!/bin/sh\n");
        worker.environment()
                .forEach(
                        (name, value) ->
                                script.append("export %s=%s%n".formatted(name, quoted(value))));
        script.append("exec");
        worker.command().forEach(word -> script.append(' ').append(quoted(word)));
        Files.createDirectories(program.toAbsolutePath().getParent());
        Files.writeString(program, script.append('\n'));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    @Override
    public void withdraw(String session) {
        standings.forget(session);
        SliceJobs.delete(cluster, labels -> session.equals(labels.get(SliceJobs.SESSION)));
    }
}
