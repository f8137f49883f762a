package io.github.spencerpark.ijava.runtime;

import io.github.spencerpark.ijava.JavaKernel;
import org.jspecify.annotations.Nullable;
import org.meshbook.magics.compat.Bridge;

/// What IJava's cells have without an import.
public class Kernel {
    public static JavaKernel getKernelInstance() {
        return Bridge.kernel();
    }

    public static @Nullable Object eval(String code) throws Exception {
        return Bridge.run(code);
    }
}
