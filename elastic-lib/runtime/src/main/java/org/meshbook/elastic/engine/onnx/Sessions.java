package org.meshbook.elastic.engine.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.engine.EngineFailure;

/// The one environment of ONNX Runtime in this process, and how sessions are made in it.
final class Sessions {
    /// Failures come as exceptions; nothing is printed.
    private static final OrtLoggingLevel QUIET = OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL;

    /// Options by number of threads; never closed, because sessions may go on using them.
    private static final Map<Integer, SessionOptions> OPTIONS = new HashMap<>();

    private static @Nullable OrtEnvironment environment;

    private Sessions() {}

    /// Loads ONNX Runtime at the first call.
    ///
    /// @throws EngineFailure if its native library cannot be loaded
    static synchronized OrtEnvironment environment() {
        var known = environment;
        if (known != null) {
            return known;
        }
        try {
            Telemetry.refuse();
            NativeLibrary.prepare();
            var made = OrtEnvironment.getEnvironment(QUIET, "meshbook");
            NativeLibrary.tidy();
            environment = made;
            return made;
        } catch (LinkageError e) {
            var cause = e.getCause() == null ? e : e.getCause();
            throw new EngineFailure(
                    "engine 'onnx' cannot load ONNX Runtime ("
                            + cause.getMessage()
                            + "); free"
                            + " space in the temporary folder or take engine 'reference'",
                    e);
        }
    }

    static OrtSession create(byte[] model, int threads) throws OrtException {
        return environment().createSession(model, options(threads));
    }

    /// Threads that wait do not spin: workers share their cores with each other and with whoever
    /// started them, and a spinning thread takes what another's step needs.
    private static SessionOptions options(int threads) throws OrtException {
        synchronized (OPTIONS) {
            var known = OPTIONS.get(threads);
            if (known != null) {
                return known;
            }
            var options = new SessionOptions();
            options.setOptimizationLevel(SessionOptions.OptLevel.ALL_OPT);
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            options.setSessionLogLevel(QUIET);
            OPTIONS.put(threads, options);
            return options;
        }
    }

    static void close(OrtSession session) {
        try {
            session.close();
        } catch (OrtException e) {
            throw new EngineFailure("engine 'onnx' cannot close a session", e);
        }
    }
}
