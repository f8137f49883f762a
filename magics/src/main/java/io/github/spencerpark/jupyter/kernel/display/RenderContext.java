package io.github.spencerpark.jupyter.kernel.display;

/// What is wanted of a value, by IJava's name.
public class RenderContext extends org.dflib.jjava.jupyter.kernel.display.RenderContext {
    RenderContext(org.dflib.jjava.jupyter.kernel.display.RenderContext same) {
        super(same);
    }
}
