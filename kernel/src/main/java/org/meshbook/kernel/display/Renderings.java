package org.meshbook.kernel.display;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// Turns any value into something to look at: extensions' renderers first, then the built-in ones.
/// Whatever a renderer or a value's own code throws becomes text, never a failure.
public final class Renderings {
    private final List<Renderer> extra;
    private final List<Renderer> own;
    private final Settings settings;

    /// @param extra asked in this order, before the built-in ones
    /// @param settings say how much of a value is shown
    public Renderings(List<Renderer> extra, Settings settings) {
        this.extra = new CopyOnWriteArrayList<>(extra);
        this.settings = settings;
        own = List.of(new ImageRenderer(), new TableRenderer(settings));
    }

    /// @param more renderers that came while cells were run; asked after the earlier ones
    public void add(List<Renderer> more) {
        extra.addAll(more);
    }

    /// @param value any value, or null
    /// @return what it looks like; `text/plain` is always there
    public DisplayData render(@Nullable Object value) {
        return switch (value) {
            case null -> DisplayData.text("null");
            case DisplayData data -> whole(data, "");
            case String text -> DisplayData.text(text(text));
            case BaseStream<?, ?> stream ->
                    tried(extra, stream).orElseGet(() -> own(content(stream)));
            default -> tried(extra, value).orElseGet(() -> own(value));
        };
    }

    /// @param value any value, or null
    /// @param types MIME types that are asked for
    /// @return what it looks like in those of them that it can be, and as `text/plain`
    public DisplayData render(@Nullable Object value, Set<String> types) {
        if (value == null || value instanceof DisplayData) {
            return only(render(value), types);
        }
        for (var renderer : extra) {
            try {
                var shown = renderer.render(value, types);
                if (shown.isPresent()) {
                    return only(whole(shown.get(), value), types);
                }
            } catch (Throwable e) {
                // The user's code runs in here: then it is shown as if there were no such renderer.
                continue;
            }
        }
        return only(render(value), types);
    }

    private static DisplayData only(DisplayData data, Set<String> types) {
        var bundle = new LinkedHashMap<>(data.bundle());
        bundle.keySet().removeIf(mime -> !mime.equals("text/plain") && !types.contains(mime));
        return new DisplayData(bundle, data.metadata(), data.id());
    }

    private DisplayData own(Object value) {
        return tried(own, value).orElseGet(() -> DisplayData.text(text(value)));
    }

    private String text(Object value) {
        return PlainText.of(value, settings.valueElements());
    }

    /// A stream can be read once; who shows one wants its content.
    private Object content(BaseStream<?, ?> stream) {
        try {
            return Sample.of(stream, settings.valueElements());
        } catch (Throwable e) {
            // The user's code runs in here: anything may be thrown.
            return e instanceof Unwinding
                    ? "<stream: it did not end in time>"
                    : "<stream: %s>".formatted(TypeNames.clean(String.valueOf(e)));
        }
    }

    private Optional<DisplayData> tried(List<Renderer> renderers, Object value) {
        for (var renderer : renderers) {
            try {
                var shown = renderer.render(value);
                if (shown.isPresent()) {
                    return Optional.of(whole(shown.get(), value));
                }
            } catch (Throwable e) {
                // As above: then the value is shown as if there were no such renderer.
                continue;
            }
        }
        return Optional.empty();
    }

    private DisplayData whole(DisplayData data, Object value) {
        return data.bundle().containsKey("text/plain") ? data : data.and("text/plain", text(value));
    }
}
