package org.meshbook.kernel.notebook;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.kernel.spi.DisplayData;

/// What was shown with an id in any cell, to be replaced. Thread-safe.
final class Displays {
    private final Map<String, List<Output.Shown>> shown = new ConcurrentHashMap<>();

    void add(Output.Shown output) {
        output.data()
                .id()
                .ifPresent(
                        id ->
                                shown.computeIfAbsent(id, _ -> new CopyOnWriteArrayList<>())
                                        .add(output));
    }

    void update(String id, DisplayData data) {
        shown.getOrDefault(id, List.of()).forEach(output -> output.replace(data));
    }
}
