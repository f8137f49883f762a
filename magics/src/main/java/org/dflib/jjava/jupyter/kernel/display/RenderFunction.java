package org.dflib.jjava.jupyter.kernel.display;

/// Renders values of a type.
public interface RenderFunction<T> {
    /// @param value what to render
    /// @param context what is wanted, and where it goes
    void render(T value, RenderContext context);
}
