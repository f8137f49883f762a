package org.meshbook.elastic.engine.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.util.HashMap;
import java.util.Map;
import org.meshbook.elastic.engine.EngineFailure;

/// The one environment of ONNX Runtime in this process, and how sessions are made in it.
final class Sessions {
    /// Failures come as exceptions; nothing is printed.
    private static final OrtLoggingLevel QUIET = OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL;

    /// Options by number of threads; never closed, because sessions may go on using them.
    private static final Map<Integer, SessionOptions> OPTIONS = new HashMap<>();

    private Sessions() {}

    private static final class Holder {
        static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment(QUIET, "meshbook");
    }

    /// Loads ONNX Runtime at the first call.
    static OrtEnvironment environment() {
        return Holder.ENVIRONMENT;
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
