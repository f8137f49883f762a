package org.dflib.jjava.kernel;

import org.meshbook.magics.compat.Bridge;

/// What JJava's cells have without an import.
public class JavaNotebookStatics {
    public static JavaKernel getKernelInstance() {
        return kernel();
    }

    public static JavaKernel kernel() {
        return Bridge.kernel();
    }
}
