package io.github.spencerpark.jupyter.kernel;

import io.github.spencerpark.jupyter.kernel.display.Renderer;
import org.dflib.jjava.kernel.JavaKernel;

/// The kernel, by IJava's name.
public class BaseKernel extends JavaKernel {
    private final Renderer renderer;

    protected BaseKernel() {
        this(new Renderer());
    }

    private BaseKernel(Renderer renderer) {
        super(renderer);
        this.renderer = renderer;
    }

    @Override
    public Renderer getRenderer() {
        return renderer;
    }
}
