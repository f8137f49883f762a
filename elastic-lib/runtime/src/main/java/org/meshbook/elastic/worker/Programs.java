package org.meshbook.elastic.worker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;
import org.meshbook.elastic.wire.GraphCodec;
import org.meshbook.elastic.wire.proto.GraphProto;

/// The programs that this worker has compiled, by fingerprint. Thread-safe.
final class Programs implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Programs.class.getName());

    /// ONNX Runtime needs more than the usual 1 MiB of stack to make a session; with less, the
    /// process dies without a word.
    static final long STACK_BYTES = 16L << 20;

    private final Engine engine;
    private final int threads;
    private final Map<String, FutureTask<LoadedProgram>> loaded = new ConcurrentHashMap<>();

    Programs(Engine engine, int threads) {
        this.engine = engine;
        this.threads = threads;
    }

    /// Starts to compile on a thread of its own, unless it is compiled or being compiled.
    void compile(String fingerprint, GraphProto message, Reports reports) {
        var task = new FutureTask<>(() -> load(fingerprint, message, reports));
        var earlier = loaded.putIfAbsent(fingerprint, task);
        if (earlier == null) {
            compiler("compile " + message.getName()).start(task);
        } else if (earlier.isDone()) {
            reports.compiled(fingerprint, 0);
        }
    }

    static Thread.Builder compiler(String name) {
        return Thread.ofPlatform().daemon().stackSize(STACK_BYTES).name(name);
    }

    private LoadedProgram load(String fingerprint, GraphProto message, Reports reports) {
        long start = System.nanoTime();
        var program = LoadedProgram.compile(GraphCodec.fromProto(message), engine, threads);
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
        if (program.fault() == null) {
            reports.compiled(fingerprint, micros);
        } else {
            reports.compiled(fingerprint, micros, program.fault());
        }
        return program;
    }

    /// Waits until a program is compiled.
    ///
    /// @throws FaultException if it is unknown or damaged; every worker then says the same
    LoadedProgram await(String fingerprint) throws FaultException, InterruptedException {
        var program = loaded.get(fingerprint);
        if (program == null) {
            throw new FaultException(
                    Fault.failed("program " + fingerprint + " was never sent to this worker"));
        }
        try {
            return program.get();
        } catch (ExecutionException e) {
            var cause = e.getCause();
            throw new FaultException(Fault.of(cause == null ? e : cause, "reading a program"));
        }
    }

    @Override
    public void close() {
        for (var program : loaded.values()) {
            if (program.state() == Future.State.SUCCESS) {
                program.resultNow().close();
            } else {
                LOG.log(System.Logger.Level.DEBUG, "a program was still being compiled");
            }
        }
        loaded.clear();
    }
}
