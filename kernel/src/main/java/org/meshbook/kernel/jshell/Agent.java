package org.meshbook.kernel.jshell;

import java.lang.instrument.Instrumentation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Receives the VM's instrumentation when the kernel's jar is launched: its manifest names this
/// class as `Launcher-Agent-Class`. Without it a changed class replaces the old one instead of
/// redefining it.
public final class Agent {
    private static volatile @Nullable Instrumentation instrumentation;

    private Agent() {}

    /// Called by the VM before `main`.
    ///
    /// @param arguments none are known
    /// @param granted what the VM hands over
    public static void agentmain(String arguments, Instrumentation granted) {
        instrumentation = granted;
    }

    static Optional<Instrumentation> instrumentation() {
        return Optional.ofNullable(instrumentation);
    }
}
