package org.dflib.jjava.jupyter.kernel.display;

import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;
import org.jspecify.annotations.Nullable;

/// What is wanted of a value, and where it goes. Not thread-safe.
public class RenderContext {
    private final Set<MIMEType> wanted;
    private final Renderer renderer;
    private final Map<String, Object> params;
    private final DisplayData output;

    RenderContext(
            Set<MIMEType> wanted,
            Renderer renderer,
            Map<String, Object> params,
            DisplayData output) {
        this.wanted = Set.copyOf(wanted);
        this.renderer = renderer;
        this.params = params;
        this.output = output;
    }

    /// @param other one that is of the same rendering
    protected RenderContext(RenderContext other) {
        this(other.wanted, other.renderer, other.params, other.output);
    }

    public Renderer getRenderer() {
        return renderer;
    }

    public DisplayData getOutputContainer() {
        return output;
    }

    public Map<String, Object> getParams() {
        return params;
    }

    public @Nullable Object getParameter(String key) {
        return params.get(key);
    }

    public Object getParameter(String key, Object otherwise) {
        return params.getOrDefault(key, otherwise);
    }

    public @Nullable String getParameterAsString(String key) {
        var value = params.get(key);
        return value == null ? null : String.valueOf(value);
    }

    public String getParameterAsString(String key, String otherwise) {
        return String.valueOf(getParameter(key, otherwise));
    }

    public @Nullable Integer getParameterAsInt(String key) {
        return params.get(key) instanceof Number number ? (Integer) number.intValue() : null;
    }

    public Integer getParameterAsInt(String key, Integer otherwise) {
        return params.get(key) instanceof Number number ? number.intValue() : otherwise;
    }

    public @Nullable Double getParameterAsDouble(String key) {
        return params.get(key) instanceof Number number ? (Double) number.doubleValue() : null;
    }

    public Double getParameterAsDouble(String key, Double otherwise) {
        return params.get(key) instanceof Number number ? number.doubleValue() : otherwise;
    }

    public @Nullable Boolean getParameterAsBoolean(String key) {
        return params.get(key) instanceof Boolean flag ? flag : null;
    }

    public Boolean getParameterAsBoolean(String key, Boolean otherwise) {
        return params.get(key) instanceof Boolean flag ? flag : otherwise;
    }

    public boolean wantsDataRenderedAs(MIMEType type) {
        return resolveRequestedType(type) != null;
    }

    /// @param type what could be made
    /// @return what was asked for that it fits, or null
    public @Nullable MIMEType resolveRequestedType(MIMEType type) {
        if (wanted.contains(type)) {
            return type;
        }
        return wanted.stream().anyMatch(w -> MIMEType.match(w, type)) ? type : null;
    }

    public boolean renderIfRequested(MIMEType type, BiConsumer<MIMEType, DisplayData> render) {
        var resolved = resolveRequestedType(type);
        if (resolved == null) {
            return false;
        }
        render.accept(resolved, output);
        return true;
    }

    public boolean renderIfRequested(MIMEType type, Function<MIMEType, Object> render) {
        return renderIfRequested(
                type,
                (resolved, data) -> {
                    data.putData(resolved, render.apply(resolved));
                });
    }

    public boolean renderIfRequested(MIMEType type, Supplier<Object> render) {
        return renderIfRequested(
                type,
                (resolved, data) -> {
                    data.putData(resolved, render.get());
                });
    }
}
