package org.meshbook.kernel.widgets.controls;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Redirect;
import org.meshbook.kernel.display.Scope;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.widgets.model.Calls;
import org.meshbook.kernel.widgets.model.Model;
import org.meshbook.kernel.widgets.model.Pace;

/// A place for output: what code prints and shows while [#capture] runs it appears here, also from
/// threads that it starts. Without a front end that knows widgets, it appears where it always does.
public final class Output extends Widget<Output> {
    private static final String OUTPUTS = "outputs";
    private static final Duration GAP = Duration.ofMillis(80);

    private final Captured captured = new Captured(this::changed);
    private final Pace pace = new Pace(GAP, () -> model().put(OUTPUTS, captured.outputs()));

    private Output() {
        super(Model.Names.output());
        // nbclient, which knows this widget alone, insists on both.
        model().put(Map.of(OUTPUTS, List.of(), "msg_id", ""));
    }

    /// @return an empty one
    public static Output empty() {
        return new Output();
    }

    private void changed() {
        pace.ask();
    }

    /// Runs code whose output appears here.
    ///
    /// @param action runs on the calling thread
    public void capture(Calls.Action action) {
        Calls.run(() -> inside(() -> done(action)));
    }

    private static @Nullable Object done(Calls.Action action) throws Exception {
        action.run();
        return null;
    }

    private @Nullable Object inside(Callable<@Nullable Object> work) throws Exception {
        var scope = CurrentScope.find();
        if (scope == null || scope.comms().isEmpty()) {
            return work.call();
        }
        try {
            return CurrentScope.<@Nullable Object>call(new Redirect(scope.cell(), captured), work);
        } finally {
            pace.now();
        }
    }

    /// Replaces what is here by what code shows; its value, and its failure, too.
    ///
    /// @param work runs on the calling thread
    void replace(Callable<@Nullable Object> work) {
        var scope = Optional.ofNullable(CurrentScope.find());
        captured.clear(true);
        try {
            var value =
                    inside(
                            () -> {
                                var result = work.call();
                                captured.shown(result == null ? null : rendered(scope, result));
                                return null;
                            });
            assert value == null;
        } catch (Exception e) {
            captured.failed(e, scope.map(s -> s.trace(e)).orElse(List.of(e.toString())));
        } finally {
            captured.settle();
            pace.now();
        }
    }

    private static DisplayData rendered(Optional<Scope> scope, Object value) {
        return scope.map(s -> s.render(value)).orElse(DisplayData.text(String.valueOf(value)));
    }

    /// Empties it.
    ///
    /// @return this
    public Output clear() {
        captured.clear(false);
        return this;
    }

    @Override
    String content() {
        var text = captured.text().strip();
        return text.isEmpty() ? "" : Control.text(text);
    }

    @Override
    Output self() {
        return this;
    }
}
