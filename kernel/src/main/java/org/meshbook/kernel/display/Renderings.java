package org.meshbook.kernel.display;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// Turns any value into something to look at: extensions' renderers first, then the built-in ones.
/// Whatever a renderer or a value's own code throws becomes text, never a failure.
public final class Renderings {
    private final List<Renderer> renderers;

    /// @param extra asked in this order, before the built-in ones
    public Renderings(List<Renderer> extra) {
        renderers = new ArrayList<>(extra);
        renderers.add(new ImageRenderer());
        renderers.add(new TableRenderer());
    }

    /// @param value any value, or null
    /// @return what it looks like; `text/plain` is always there
    public DisplayData render(@Nullable Object value) {
        if (value == null) {
            return DisplayData.text("null");
        }
        if (value instanceof DisplayData data) {
            return data;
        }
        for (var renderer : renderers) {
            var shown = tried(renderer, value);
            if (shown.isPresent()) {
                var data = shown.get();
                return data.bundle().containsKey("text/plain")
                        ? data
                        : data.and("text/plain", PlainText.of(value));
            }
        }
        return DisplayData.text(PlainText.of(value));
    }

    private static Optional<DisplayData> tried(Renderer renderer, Object value) {
        try {
            return renderer.render(value);
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return Optional.empty();
        }
    }
}
