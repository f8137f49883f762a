package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.display.Renderings;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Workspace;

/// An engine without JShell: cells of it show values and fail, but no Java is compiled.
final class BareHost implements CellHost {
    final Settings settings = new Settings();
    final KeptResults results = new KeptResults();

    /// What cells were to evaluate or to run, in order.
    final List<String> asked = new ArrayList<>();

    /// What [#ran] says.
    Optional<RunningCell> ran = Optional.empty();

    private final ClassLoader loader = new ClassLoader(BareHost.class.getClassLoader()) {};
    private final Renderings renderings = new Renderings(List.of(), settings);

    BareHost() {
        set("error.colours", "off");
    }

    BareHost set(String setting, String value) {
        settings.find(setting).orElseThrow().set(value);
        return this;
    }

    RunningCell cell(String code, int number, CellOutput output) {
        return new RunningCell(code, number, new CappedOutput(output, settings), this);
    }

    @Override
    public Wording wording() {
        return new Wording(settings);
    }

    /// Hides what begins with `hidden`.
    @Override
    public Optional<String> frame(String printed) {
        return printed.startsWith("hidden") ? Optional.empty() : Optional.of("[" + printed + "]");
    }

    @Override
    public CellOutcome.Failed failure(Throwable thrown) {
        var name = thrown.getClass().getSimpleName();
        return new CellOutcome.Failed(
                name,
                String.valueOf(thrown.getMessage()),
                List.of(name + ": " + thrown.getMessage(), "at cell 1"));
    }

    @Override
    public Optional<RunningCell> ran(String snippet) {
        return ran;
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    @Override
    public Duration valueTimeout() {
        return settings.valueTimeout();
    }

    @Override
    public DisplayData render(@Nullable Object value) {
        return renderings.render(value);
    }

    @Override
    public DisplayData render(@Nullable Object value, Set<String> types) {
        return renderings.render(value, types);
    }

    @Override
    public @Nullable Object evaluate(RunningCell cell, String before, String java, String after) {
        asked.add(before + "<" + java + ">" + after);
        return "evaluated";
    }

    @Override
    public @Nullable Object run(RunningCell cell, String code) {
        asked.add(code);
        return "run";
    }

    @Override
    public Workspace workspace() {
        throw new UnsupportedOperationException("without JShell there are no variables");
    }

    @Override
    public KeptResults results() {
        return results;
    }
}
