package org.meshbook.elastic.head;

import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/// Leaves the terminal's session, so that its signals and its end do not reach the head.
///
/// A head started by hand may already lead a session; then the call fails and nothing is lost.
final class Detach {
    private static final System.Logger LOG = System.getLogger(Detach.class.getName());

    private Detach() {}

    static void fromTerminal() {
        try {
            var linker = Linker.nativeLinker();
            var setsid =
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("setsid"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT));
            int session = (int) setsid.invokeExact();
            LOG.log(Level.DEBUG, "setsid session={0}", session);
        } catch (Throwable e) {
            LOG.log(Level.WARNING, "the head stays in its starter's terminal session", e);
        }
    }
}
