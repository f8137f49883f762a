package org.meshbook.elastic.worker;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/// Ends this process when its head's ends, in whatever way that happens.
///
/// The end of the standard input tells it everywhere. On Linux the system itself also kills this
/// process then, which a stopped one (SIGSTOP) could not do by reading.
final class Tether {
    private static final System.Logger LOG = System.getLogger(Tether.class.getName());
    private static final int PR_SET_PDEATHSIG = 1;
    private static final long SIGKILL = 9;

    private Tether() {}

    static void toHead(InputStream input) {
        Thread.ofPlatform()
                .daemon()
                .name("meshbook-worker-tether")
                .start(
                        () -> {
                            // Linux keeps the wish with the thread that has it; this one stays.
                            if (System.getProperty("os.name").equals("Linux")) {
                                askForDeathSignal();
                            }
                            read(input);
                        });
    }

    private static void read(InputStream input) {
        try {
            while (input.read() >= 0) {
                // The head says nothing after the assignment.
            }
        } catch (IOException broken) {
            LOG.log(Level.DEBUG, "the input broke", broken);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void askForDeathSignal() {
        try {
            var linker = Linker.nativeLinker();
            // prctl takes its arguments by an ellipsis behind the first.
            var prctl =
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("prctl"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG),
                            Linker.Option.firstVariadicArg(1));
            int failed = (int) prctl.invokeExact(PR_SET_PDEATHSIG, SIGKILL);
            if (failed != 0) {
                LOG.log(Level.DEBUG, "prctl failed");
            }
        } catch (Throwable e) {
            LOG.log(Level.DEBUG, "no death signal", e);
        }
    }
}
