package org.dflib.jjava;

import org.dflib.jjava.kernel.JavaKernel;
import org.meshbook.magics.compat.Bridge;

/// The main class of JJava 0.x, which its notebooks ask for the kernel.
public class JJava {
    public static JavaKernel getKernelInstance() {
        return Bridge.kernel();
    }
}
