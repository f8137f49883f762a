package org.meshbook.kernel.widgets.controls;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Redirect;
import org.meshbook.kernel.display.Scope;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.widgets.model.Calls;
import org.meshbook.kernel.widgets.model.Model;

/// Something in the front end that Java drives. Thread-safe.
///
/// It appears where it is shown, as a cell's value or by `display`, also several times. Without a
/// front end that knows widgets, its text is shown.
///
/// @param <W> its own type
public abstract sealed class Widget<W extends Widget<W>> implements Model.Owner, AutoCloseable
        permits Described, Box, Output {
    private static final String VIEW = "application/vnd.jupyter.widget-view+json";

    private final Model model;
    private final Model layout = new Model(Model.Names.layout());
    private volatile @Nullable Scope home = CurrentScope.find();

    Widget(Model.Names names) {
        model = new Model(names);
        model.put("layout", layout);
        model.inbound(this::atHome);
    }

    abstract W self();

    /// @return what the text form says between its brackets
    abstract String content();

    /// @return widgets inside it
    List<Widget<?>> inside() {
        return List.of();
    }

    @Override
    public final Model model() {
        return model;
    }

    /// Says more when the pointer rests on it.
    ///
    /// @param text what to say
    /// @return this
    public final W tooltip(String text) {
        model.put("tooltip", text);
        return self();
    }

    /// @param css a width, as `300px` or `50%`
    /// @return this
    public final W width(String css) {
        return layout("width", css);
    }

    /// Places it.
    ///
    /// @param property a property of CSS, as `width`, `margin`, `flex-flow`
    /// @param css its value
    /// @return this
    /// @throws IllegalArgumentException if a widget's layout has no such property
    public final W layout(String property, String css) {
        layout.put(Css.property(property), css);
        return self();
    }

    /// @return what it looks like; its counterpart in the front end is there afterwards
    public final DisplayData shown() {
        var text = DisplayData.text(toString());
        var scope = CurrentScope.find();
        if (scope == null || model.isClosed()) {
            return text;
        }
        livesIn(scope);
        return scope.comms().map(comms -> text.and(VIEW, view(model.open(comms)))).orElse(text);
    }

    private static Map<String, Object> view(String id) {
        return Map.of("version_major", 2, "version_minor", 0, "model_id", id);
    }

    private void livesIn(Scope scope) {
        home = scope;
        inside().forEach(widget -> widget.livesIn(scope));
    }

    /// Runs listeners so that what they print appears below the cell that showed the widget; a
    /// failure of theirs, too.
    @SuppressWarnings("CatchingUnchecked") // a listener may throw anything at all
    private void atHome(Runnable work) {
        var running = CurrentScope.find();
        var shown = home;
        if (running == null || shown == null) {
            work.run();
            return;
        }
        var scope = Redirect.of(running, shown);
        try {
            CurrentScope.<@Nullable Object>call(
                    scope,
                    () -> {
                        work.run();
                        return null;
                    });
        } catch (Throwable thrown) {
            scope.trace(Calls.cause(thrown)).forEach(line -> say(scope, line));
        }
    }

    private static void say(Scope scope, String line) {
        var bytes = (line + "\n").getBytes(UTF_8);
        scope.write(true, bytes, 0, bytes.length);
    }

    /// Takes it away from the front end. Its values stay, and are not told any more.
    @Override
    public void close() {
        model.close();
        layout.close();
    }

    /// @return as `IntSlider(value=3, min=0, max=10)`
    @Override
    public final String toString() {
        var name = model.names().model().replaceFirst("Model$", "");
        return name + "(" + content() + (model.isClosed() ? ", closed" : "") + ")";
    }
}
