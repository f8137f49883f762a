package org.meshbook.kernel.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// The main shell and its subshells. Thread-safe.
final class Lanes {
    private final Function<Optional<String>, Lane> maker;
    private final ThreadGroup cells = new ThreadGroup("meshbook-cells");
    private final AtomicLong order = new AtomicLong();
    private final Map<Long, Lane> subshells = new ConcurrentSkipListMap<>();
    private final Lane main;

    Lanes(Function<Optional<String>, Lane> maker) {
        this.maker = maker;
        this.main = maker.apply(Optional.empty());
    }

    void start() {
        main.start(cells);
    }

    Lane main() {
        return main;
    }

    /// @param id of a subshell, or empty for the main shell
    Optional<Lane> find(Optional<String> id) {
        return id.isEmpty()
                ? Optional.of(main)
                : subshells.values().stream().filter(lane -> lane.id().equals(id)).findFirst();
    }

    /// @return ids of the subshells, oldest first
    List<String> ids() {
        return subshells.values().stream().flatMap(lane -> lane.id().stream()).toList();
    }

    /// @return id of a new subshell
    String create() {
        var id = UUID.randomUUID().toString();
        var lane = maker.apply(Optional.of(id));
        lane.start(cells);
        subshells.put(order.incrementAndGet(), lane);
        return id;
    }

    /// @return false if there is no such subshell
    boolean delete(String id) {
        var found = find(Optional.of(id)).filter(subshells.values()::remove);
        found.ifPresent(Lane::end);
        return found.isPresent();
    }

    /// Stops the main shell's cell, and callbacks wherever they run: a front end that has a
    /// subshell for its comms cannot name it when the user presses stop. Cells of subshells go on.
    void interrupt() {
        main.execution().interrupt();
        subshells.values().forEach(lane -> lane.execution().interruptCallback());
    }

    /// Stops everything.
    void end() {
        var all = new ArrayList<>(subshells.values());
        all.add(main);
        all.forEach(Lane::end);
    }
}
