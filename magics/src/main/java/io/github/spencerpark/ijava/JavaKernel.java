package io.github.spencerpark.ijava;

import io.github.spencerpark.jupyter.kernel.BaseKernel;
import io.github.spencerpark.jupyter.kernel.magic.registry.Magics;

/// The kernel, as IJava's notebooks see it.
public class JavaKernel extends BaseKernel {
    private final Magics magics = new Magics();

    /// Made once for each engine; notebooks get theirs by [IJava#getKernelInstance].
    public JavaKernel() {}

    public Magics getMagics() {
        return magics;
    }
}
