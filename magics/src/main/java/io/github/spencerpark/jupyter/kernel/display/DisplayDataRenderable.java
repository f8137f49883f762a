package io.github.spencerpark.jupyter.kernel.display;

/// A value that renders itself, by IJava's name.
public interface DisplayDataRenderable
        extends org.dflib.jjava.jupyter.kernel.display.DisplayDataRenderable {
    /// @param context what is wanted, and where it goes
    void render(RenderContext context);

    @Override
    default void render(org.dflib.jjava.jupyter.kernel.display.RenderContext context) {
        render(new RenderContext(context));
    }
}
