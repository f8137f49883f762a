package io.github.spencerpark.ijava;

import org.meshbook.magics.compat.Bridge;

/// The main class of IJava, which its notebooks ask for the kernel.
public class IJava {
    public static final String COMPILER_OPTS_KEY = "IJAVA_COMPILER_OPTS";
    public static final String TIMEOUT_DURATION_KEY = "IJAVA_TIMEOUT";
    public static final String CLASSPATH_KEY = "IJAVA_CLASSPATH";
    public static final String STARTUP_SCRIPTS_KEY = "IJAVA_STARTUP_SCRIPTS_PATH";
    public static final String STARTUP_SCRIPT_KEY = "IJAVA_STARTUP_SCRIPT";
    public static final String VERSION = "1.3.0";

    public static JavaKernel getKernelInstance() {
        return Bridge.kernel();
    }
}
