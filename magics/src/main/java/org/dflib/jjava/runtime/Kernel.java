package org.dflib.jjava.runtime;

import org.jspecify.annotations.Nullable;
import org.meshbook.magics.compat.Bridge;

/// What JJava 0.x notebooks import for the kernel.
public class Kernel {
    public static org.dflib.jjava.kernel.JavaKernel getKernelInstance() {
        return Bridge.kernel();
    }

    public static @Nullable Object eval(String code) throws Exception {
        return Bridge.run(code);
    }
}
