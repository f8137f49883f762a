package org.meshbook.kernel.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.meshbook.kernel.spi.MagicException;

/// Everything that a person can set while the kernel runs; one object an engine.
///
/// An environment variable named after a setting gives its first value: `MESHBOOK_CELL_TIMEOUT` is
/// that of `cell.timeout`.
public final class Settings {
    private final List<Setting<?>> all = new ArrayList<>();

    private final Setting<Duration> cellTimeout =
            add(
                    "cell.timeout",
                    "how long a cell may run before it is stopped",
                    Kind.LIMIT,
                    Duration.ZERO);

    private final Setting<Boolean> cellTime =
            add("cell.time", "whether each cell says how long it took", Kind.SWITCH, false);

    private final Setting<Long> outputLimit =
            add("output.limit", "how much text a cell may put out", Kind.SIZE_LIMIT, 10_000_000L);

    private final Setting<Long> outputLines =
            add("output.lines", "how many lines a cell may put out", Kind.COUNT_LIMIT, 200_000L);

    private final Setting<Long> valueElements =
            add(
                    "value.elements",
                    "how many elements of an array or a collection are shown",
                    Kind.COUNT_LIMIT,
                    1_000L);

    private final Setting<Duration> valueTimeout =
            add(
                    "value.timeout",
                    "how long a value's own code may take until it is shown",
                    Kind.LIMIT,
                    Duration.ofSeconds(10));

    private final Setting<Long> tableRows =
            add("table.rows", "how many rows of a table are shown", Kind.COUNT_LIMIT, 50L);

    private final Setting<Boolean> errorColours =
            add("error.colours", "whether errors are coloured", Kind.SWITCH, true);

    /// Settings as they are when nothing is said.
    public Settings() {}

    /// Takes first values from an environment.
    ///
    /// @param environment names and values, as `System.getenv()` gives them
    /// @return a line for each value that cannot be taken
    public List<String> take(Map<String, String> environment) {
        var refused = new ArrayList<String>();
        for (var setting : all) {
            var variable = "MESHBOOK_" + setting.name().replace('.', '_').toUpperCase(Locale.ROOT);
            var given = environment.get(variable);
            if (given == null || given.isBlank()) {
                continue;
            }
            try {
                setting.set(given.strip());
            } catch (MagicException e) {
                refused.add("%s is not taken: %s".formatted(variable, e.getMessage()));
            }
        }
        return refused;
    }

    private <T> Setting<T> add(String name, String meaning, Kind<T> kind, T standard) {
        var setting = new Setting<>(name, meaning, kind, standard);
        all.add(setting);
        return setting;
    }

    /// @return every setting, in the order of their listing
    public List<Setting<?>> all() {
        return List.copyOf(all);
    }

    /// @param name of a setting
    /// @return that setting, if there is one
    public Optional<Setting<?>> find(String name) {
        return all.stream().filter(setting -> setting.name().equals(name)).findFirst();
    }

    /// @return how long a cell may run; zero for ever
    public Duration cellTimeout() {
        return cellTimeout.value();
    }

    /// @return whether each cell says how long it took
    public boolean cellTime() {
        return cellTime.value();
    }

    /// @return how many characters a cell may put out
    public long outputLimit() {
        return outputLimit.value();
    }

    /// @return how many lines a cell may put out
    public long outputLines() {
        return outputLines.value();
    }

    /// @return how many elements of a value are shown
    public long valueElements() {
        return valueElements.value();
    }

    /// @return how long a value's own code may take until it is shown; zero for ever
    public Duration valueTimeout() {
        return valueTimeout.value();
    }

    /// @return how many rows of a table are shown
    public long tableRows() {
        return tableRows.value();
    }

    /// @return whether errors are coloured
    public boolean errorColours() {
        return errorColours.value();
    }
}
