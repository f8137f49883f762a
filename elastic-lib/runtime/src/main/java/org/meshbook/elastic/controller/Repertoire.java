package org.meshbook.elastic.controller;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.jit.Program;
import org.meshbook.elastic.wire.GraphCodec;
import org.meshbook.elastic.wire.WorkerMethods;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Compile;

/// Programs that ran lately. A worker that comes is told of them at once and compiles them beside
/// the training, so that growing onto it, and every size of the mesh seen before, compiles nothing.
/// Thread-safe; telling belongs between operations or into one.
final class Repertoire {
    /// A loop has a few programs for each size of its mesh.
    private static final int KEPT = 8;

    private final Compiles compiles;
    private final Map<String, Program> recent =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Program> eldest) {
                    return size() > KEPT;
                }
            };

    Repertoire(Compiles compiles) {
        this.compiles = compiles;
    }

    /// Tells workers that are about to run a program, where it is new to them.
    void tell(Program program, List<WorkerLink> links) {
        synchronized (recent) {
            recent.put(program.graphFingerprint(), program);
        }
        var strangers =
                links.stream().filter(l -> !l.knowsProgram(program.graphFingerprint())).toList();
        if (!strangers.isEmpty()) {
            var message = compile(program);
            strangers.forEach(link -> tell(message, link));
        }
    }

    /// Tells a worker that has come of all programs that ran lately.
    void teach(WorkerLink link) {
        List<Program> all;
        synchronized (recent) {
            all = List.copyOf(recent.values());
        }
        for (var program : all) {
            if (!link.knowsProgram(program.graphFingerprint())) {
                tell(compile(program), link);
            }
        }
    }

    private void tell(Compile message, WorkerLink link) {
        compiles.started(message.getFingerprint());
        link.send(Command.newBuilder().setCompile(message));
        link.toldProgram(message.getFingerprint());
    }

    private static Compile compile(Program program) {
        var compile =
                Compile.newBuilder()
                        .setFingerprint(program.graphFingerprint())
                        .setGraph(GraphCodec.toProto(program.graph()))
                        .build();
        UsageError.require(
                compile.getSerializedSize() < WorkerMethods.MESSAGE_BYTES,
                "program '%s' takes %d MiB with its literals, at most %d MiB travel; pass large arrays as arguments",
                program.graph().name(),
                compile.getSerializedSize() >> 20,
                WorkerMethods.MESSAGE_BYTES >> 20);
        return compile;
    }
}
