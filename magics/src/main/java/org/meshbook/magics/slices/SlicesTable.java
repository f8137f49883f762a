package org.meshbook.magics.slices;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.magics.render.Table;

/// A view of all slices as a table.
final class SlicesTable {
    private static final double MIB = 1 << 20;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private SlicesTable() {}

    static Table of(ClusterView view, Instant now) {
        if (view.slices().stream().anyMatch(slice -> slice.place().isPresent())) {
            return queued(view, now);
        }
        var table = Table.of("slice", "state", "pid", "devices", "memory", "since");
        for (var slice : view.slices()) {
            table =
                    table.row(
                            slice.id(),
                            state(slice),
                            pids(slice),
                            devices(slice),
                            memory(slice),
                            since(slice, now));
        }
        return table;
    }

    /// Of slices that come and go through a queue.
    private static Table queued(ClusterView view, Instant now) {
        var table =
                Table.of("slice", "state", "job", "position", "pid", "devices", "memory", "since");
        for (var slice : view.slices()) {
            int position = slice.place().map(SliceView.Place::position).orElse(0);
            table =
                    table.row(
                            slice.id(),
                            state(slice),
                            slice.place().map(SliceView.Place::job).orElse("-"),
                            position == 0 ? "-" : position,
                            pids(slice),
                            devices(slice),
                            memory(slice),
                            since(slice, now));
        }
        return table;
    }

    private static String state(SliceView slice) {
        boolean explained = slice.state() != SliceState.HEALTHY && !slice.cause().isEmpty();
        return slice.state().word() + (explained ? " (" + slice.cause() + ")" : "");
    }

    private static String pids(SliceView slice) {
        return slice.hosts().stream()
                .map(host -> host.pid() == 0 ? "-" : String.valueOf(host.pid()))
                .collect(Collectors.joining(", "));
    }

    private static String devices(SliceView slice) {
        int hosts = slice.hosts().size();
        return hosts < 2
                ? String.valueOf(slice.devices())
                : hosts + " × " + slice.hosts().getFirst().devices();
    }

    private static String memory(SliceView slice) {
        long bytes = slice.hosts().stream().mapToLong(HostView::memoryBytes).sum();
        return bytes == 0 ? "-" : String.format(Locale.ROOT, "%.0f MB", bytes / MIB);
    }

    private static String since(SliceView slice, Instant now) {
        var ago = Duration.between(slice.since(), now);
        var words =
                ago.toHours() > 0
                        ? ago.toHours() + " h"
                        : ago.toMinutes() > 0
                                ? ago.toMinutes() + " min"
                                : Math.max(0, ago.toSeconds()) + " s";
        return CLOCK.format(slice.since().atZone(ZoneId.systemDefault()))
                + " ("
                + words
                + (slice.generation() > 1 ? ", generation " + slice.generation() : "")
                + ")";
    }
}
