package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.meshbook.elastic.Tabular;
import org.meshbook.elastic.manager.Recovery.Phase;

/// Where the time of one run of [Manager#elasticRetry] went; prints as a table. The parts add up to
/// the total.
///
/// @param total from the start of the run to its end, or to now while it runs
/// @param starting until the first step was done
/// @param losses what lost slices cost, phase by phase
/// @param growing what growths cost
/// @param steppingEfficiency active slices among all, weighted by the time in which steps were made
/// @param availableEfficiency healthy slices among all, weighted by all of the time
public record Goodput(
        Duration total,
        Duration starting,
        Map<Phase, Duration> losses,
        Duration growing,
        double steppingEfficiency,
        double availableEfficiency)
        implements Tabular {
    public Goodput {
        var all = new EnumMap<Phase, Duration>(Phase.class);
        for (var phase : Phase.values()) {
            all.put(phase, losses.getOrDefault(phase, Duration.ZERO));
        }
        losses = Collections.unmodifiableMap(all);
    }

    /// @return time in which steps were made for the first time
    public Duration stepping() {
        return losses.values().stream()
                .reduce(total.minus(starting).minus(growing), Duration::minus);
    }

    /// @return share of the time in which steps were made, 0 to 1
    public double share() {
        return share(stepping());
    }

    /// @return rows of cells: a header, then one a use of time
    @Override
    public List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("time went into", "took", "share"));
        rows.add(row("steps", stepping()));
        rows.add(row("start, until the first step", starting));
        losses.forEach((phase, time) -> rows.add(row("slices lost: " + phase.word(), time)));
        rows.add(row("growth", growing));
        rows.add(row("all", total));
        return rows;
    }

    /// @return one line on the slices
    public String efficiency() {
        return String.format(
                Locale.ROOT,
                "%.1f %% of the slices were in use while steps were made; %.1f %% were healthy",
                steppingEfficiency * 100,
                availableEfficiency * 100);
    }

    @Override
    public String toString() {
        return total.isZero() ? "no run was made yet" : table() + "\n" + efficiency();
    }

    private List<String> row(String name, Duration time) {
        return List.of(
                name,
                time.isZero() ? "-" : Words.time(time),
                String.format(Locale.ROOT, "%.1f %%", share(time) * 100));
    }

    private double share(Duration time) {
        return total.isZero() ? 0 : (double) time.toNanos() / total.toNanos();
    }
}
