package org.meshbook.kernel.app;

import sun.misc.Signal;

/// Ctrl-C.
final class Signals {
    private Signals() {}

    /// @param action instead of the JVM's end; on a thread of its own
    static void onInterrupt(Runnable action) {
        Signal.handle(new Signal("INT"), _ -> action.run());
    }
}
