package org.meshbook.magics.jobs.queues;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.JobFinder;
import org.meshbook.magics.jobs.door.Shown;

/// What happened to objects of the cluster: to one job and all that it owns, or to everything.
public final class ClusterEvents {
    private final ClusterDoor door;

    /// @param door the way to the cluster
    public ClusterEvents(ClusterDoor door) {
        this.door = door;
    }

    /// Shows the last events, oldest first.
    ///
    /// @param typed `NAME` or `KIND/NAME`; `""` for everything in the namespace
    /// @param space namespace
    /// @param last how many
    /// @param cell where
    public void show(String typed, String space, int last, Cell cell) {
        var open = door.open();
        var finder = new JobFinder("%events", open.cluster(), space);
        var events = new ArrayList<>(finder.list(Kinds.EVENT));
        if (!typed.isEmpty()) {
            var about = uids(finder, finder.any(typed, kinds()));
            events.removeIf(event -> !about.contains(event.text("involvedObject", "uid")));
        }
        if (events.isEmpty()) {
            cell.out()
                    .println(
                            typed.isEmpty()
                                    ? "no events in namespace %s".formatted(space)
                                    : "no events of %s".formatted(typed));
            return;
        }
        events.sort(Comparator.comparing(ClusterEvents::time));
        var shown = events.subList(Math.max(0, events.size() - last), events.size());
        cell.display(new Shown(open).table(Kinds.EVENT, shown, false, false));
    }

    private static Set<String> uids(JobFinder finder, Resource object) {
        var uids = finder.owned(object).stream().map(Resource::uid).collect(Collectors.toSet());
        uids.add(object.uid());
        return uids;
    }

    private static List<ResourceKind> kinds() {
        var kinds = new ArrayList<>(JobFinder.KINDS);
        kinds.addAll(
                List.of(
                        Kinds.POD,
                        Kinds.WORKLOAD,
                        Kinds.LOCAL_QUEUE,
                        Kinds.CLUSTER_QUEUE,
                        Kinds.NODE));
        return kinds;
    }

    private static String time(Resource event) {
        var last = event.text("lastTimestamp");
        var micro = event.text("eventTime");
        return last.isEmpty() ? micro : last;
    }
}
