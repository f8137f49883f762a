package org.meshbook.cluster.outlook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.print.Age;
import org.meshbook.cluster.queue.Amounts;
import org.meshbook.cluster.queue.Reservation;

/// Who holds quota.
///
/// @param workload the object
/// @param held what it holds
public record Holder(Resource workload, Reservation held) {

    /// @param snapshot a queue
    /// @param queue a ClusterQueue's name
    /// @return those with quota of it, the latest last
    public static List<Holder> of(Snapshot snapshot, String queue) {
        var holders = new ArrayList<Holder>();
        for (var held : snapshot.state().holders(queue)) {
            var workload = snapshot.workloads().get(held.key());
            if (workload != null) {
                holders.add(new Holder(workload, held));
            }
        }
        holders.sort(Comparator.comparing(holder -> holder.held.reservedAt()));
        return holders;
    }

    public String job() {
        return Jobs.name(workload);
    }

    /// @return such as `8 google.com/tpu of v5e`
    public String amounts() {
        return held.usage().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(
                        e ->
                                "%s %s of %s"
                                        .formatted(
                                                Amounts.quantity(
                                                        e.getKey().resource(), e.getValue()),
                                                e.getKey().resource(),
                                                e.getKey().flavor()))
                .collect(Collectors.joining(", "));
    }

    /// @param now the time
    /// @return name, amounts, priority and for how long
    public String text(Instant now) {
        return "%s (%s, priority %d, for %s)"
                .formatted(
                        job(),
                        amounts(),
                        held.priority(),
                        Age.of(Optional.of(held.reservedAt()), now));
    }

    /// @return the command that ends it
    public String remedy() {
        return "%%delete %s %s".formatted(Jobs.kind(workload), job());
    }
}
