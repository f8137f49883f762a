package io.github.spencerpark.jupyter.kernel.display;

/// Renders values of a type, by IJava's name.
public interface RenderFunction<T>
        extends org.dflib.jjava.jupyter.kernel.display.RenderFunction<T> {
    /// @param value what to render
    /// @param context what is wanted, and where it goes
    void render(T value, RenderContext context);

    @Override
    default void render(T value, org.dflib.jjava.jupyter.kernel.display.RenderContext context) {
        render(value, new RenderContext(context));
    }
}
