package org.meshbook.elastic.engine.onnx;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import org.meshbook.elastic.engine.EngineFailure;

/// Turns ONNX Runtime's telemetry off.
///
/// From 1.29 on its official library sends usage data to Microsoft unless this environment variable
/// is set before the library starts; it also leaves log files in the temporary folder, and ends the
/// process with SIGSEGV where the command line is longer than 4 KB, as one with a class path is.
/// Sources: https://github.com/microsoft/onnxruntime/pull/27379,
/// https://github.com/microsoft/onnxruntime/issues/32173
final class Telemetry {
    private static final String SWITCH = "ORT_DISABLE_TELEMETRY";
    private static final String OFF = "1";

    private Telemetry() {}

    /// Sets the variable in this process, for native code; costs nothing where it is set already.
    @SuppressWarnings("restricted") // every process of ours starts with native access enabled
    static void refuse() {
        if (OFF.equals(System.getenv(SWITCH))) {
            return;
        }
        var linker = Linker.nativeLinker();
        var setenv = linker.defaultLookup().find("setenv");
        if (setenv.isEmpty()) {
            return; // Windows has another provider, which only writes to the system's own trace
        }
        var call =
                linker.downcallHandle(
                        setenv.get(),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT));
        try (var arena = Arena.ofConfined()) {
            int failed =
                    (int) call.invokeExact(arena.allocateFrom(SWITCH), arena.allocateFrom(OFF), 1);
            if (failed != 0) {
                throw new EngineFailure("engine 'onnx' cannot set " + SWITCH + "; set it", null);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new EngineFailure("engine 'onnx' cannot set " + SWITCH + "; set it", e);
        }
    }
}
