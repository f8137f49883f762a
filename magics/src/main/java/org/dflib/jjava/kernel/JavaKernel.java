package org.dflib.jjava.kernel;

import java.nio.file.Path;
import java.util.List;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.meshbook.magics.compat.Bridge;

/// The kernel, as JJava's notebooks see it.
public class JavaKernel extends BaseKernel {
    /// @param renderer its rules
    protected JavaKernel(Renderer renderer) {
        super(renderer);
    }

    /// @param path a jar or a folder of classes
    public void addToClasspath(String path) {
        Bridge.cell().workspace().addToClassPath(List.of(Path.of(path)));
    }
}
