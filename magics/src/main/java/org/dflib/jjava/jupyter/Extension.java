package org.dflib.jjava.jupyter;

import org.dflib.jjava.jupyter.kernel.BaseKernel;

/// What a library adds to the kernel; found by ServiceLoader in what cells add to the class path.
public interface Extension {
    /// @param kernel gets what the library adds
    void install(BaseKernel kernel);

    /// @param kernel loses it
    default void uninstall(BaseKernel kernel) {}
}
