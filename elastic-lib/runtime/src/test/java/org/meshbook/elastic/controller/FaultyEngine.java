package org.meshbook.elastic.controller;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.graph.Graph;

/// The reference engine with the trouble that a test asks for.
public final class FaultyEngine implements Engine {
    enum Trouble {
        NONE,
        WRONG_VALUES,
        FAILS,
        /// Programs wait until the trouble is over; a probe's one element does not.
        SLOW,
        NO_MEMORY,
        OVERWRITES_INPUTS
    }

    static final AtomicReference<Trouble> TROUBLE = new AtomicReference<>(Trouble.NONE);

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public Executable compile(Graph graph, int threads) {
        var sound = Engines.named("reference").compile(graph, threads);
        return new Executable() {
            @Override
            public List<HostArray> run(List<HostArray> inputs) {
                return switch (TROUBLE.get()) {
                    case NONE -> sound.run(inputs);
                    case WRONG_VALUES ->
                            sound.run(inputs).stream().map(FaultyEngine::flipped).toList();
                    case SLOW -> {
                        awaitEnd(inputs);
                        yield sound.run(inputs);
                    }
                    case FAILS -> throw new IllegalStateException("INTERNAL: unit 3 is on fire");
                    case OVERWRITES_INPUTS -> {
                        var results = sound.run(inputs);
                        inputs.forEach(FaultyEngine::overwrite);
                        yield results;
                    }
                    case NO_MEMORY -> throw new OutOfMemoryError("direct buffer memory");
                };
            }

            @Override
            public void close() {
                sound.close();
            }
        };
    }

    private static void awaitEnd(List<HostArray> inputs) {
        boolean large = inputs.stream().anyMatch(input -> input.type().shape().size() > 1);
        while (large && TROUBLE.get() == Trouble.SLOW) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// As an engine would that reuses the memory of a donated input.
    private static void overwrite(HostArray value) {
        var bytes = value.bytes();
        while (bytes.hasRemaining()) {
            bytes.put((byte) 0x55);
        }
    }

    private static HostArray flipped(HostArray value) {
        var copy = HostArray.zeros(value.type());
        copy.bytes().put(value.bytes());
        var bytes = copy.bytes();
        if (bytes.hasRemaining()) {
            bytes.put(0, (byte) (bytes.get(0) ^ 1));
        }
        return copy;
    }
}
