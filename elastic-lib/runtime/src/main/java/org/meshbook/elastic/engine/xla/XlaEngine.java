package org.meshbook.elastic.engine.xla;

import static org.meshbook.elastic.UsageError.require;

import java.nio.charset.StandardCharsets;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.engine.Arguments;
import org.meshbook.elastic.engine.DeepStack;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.EngineFailure;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.StableHlo;

/// Compiles graphs by XLA, on whatever device its plugin is for. Thread-safe.
public final class XlaEngine implements Engine {
    /// For ServiceLoader.
    public XlaEngine() {}

    @Override
    public String name() {
        return "xla";
    }

    @Override
    public boolean canEndProcess() {
        return true;
    }

    @Override
    public void prepare() {
        Plugin.require();
    }

    @Override
    public Executable compile(Graph graph, int threads) {
        require(threads >= 1, "an engine runs on at least 1 thread, %d are asked for", threads);
        Arguments.checkLocal(name(), graph);
        Arguments.checkSizes(graph);
        var module = StableHlo.text(graph);
        try {
            return DeepStack.call(
                    "xla compile",
                    () -> new XlaExecutable(graph, program(Client.of(threads), threads, module)),
                    PjrtFailure.class);
        } catch (PjrtFailure e) {
            if (e.isLacking()) {
                throw new UsageError(
                        "engine 'xla' lacks an operation of graph '%s': %s",
                        graph.name(), e.firstLine());
            }
            throw new EngineFailure(
                    "engine 'xla' cannot compile graph '" + graph.name() + "': " + e.firstLine(),
                    e);
        }
    }

    /// A program as an earlier process saved it, or compiled and saved.
    private static NativeProgram program(Client client, int threads, String module)
            throws PjrtFailure {
        var source = module.getBytes(StandardCharsets.UTF_8);
        var cache = ExecutableCache.of(System.getenv());
        if (cache.isEmpty() || !client.sharesMemory()) {
            return client.compile(source);
        }
        var key = ExecutableCache.key(client, threads, module);
        var saved = cache.get().read(key);
        if (saved.isPresent()) {
            try {
                return client.load(saved.get());
            } catch (PjrtFailure e) {
                // Another build of XLA says no, and compiling always does.
                return client.compile(source);
            }
        }
        var program = client.compile(source);
        cache.get().write(key, program.save());
        return program;
    }
}
