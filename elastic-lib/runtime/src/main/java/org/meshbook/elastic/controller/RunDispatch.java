package org.meshbook.elastic.controller;

import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.jit.Program;
import org.meshbook.elastic.wire.GraphCodec;
import org.meshbook.elastic.wire.WorkerMethods;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Compile;
import org.meshbook.elastic.wire.proto.DefineMesh;
import org.meshbook.elastic.wire.proto.Run;

/// The commands of one run: the program and the mesh where they are new, then the run itself.
final class RunDispatch {
    private final Program program;
    private final Run.Builder run;
    private final DefineMesh mesh;
    private final Compiles compiles;
    private List<WorkerLink> links = List.of();

    RunDispatch(
            Program program,
            List<ArrayState> inputs,
            List<ArrayState> outputs,
            DefineMesh mesh,
            Compiles compiles) {
        this.program = program;
        this.mesh = mesh;
        this.compiles = compiles;
        this.run =
                Run.newBuilder().setFingerprint(program.graphFingerprint()).setMesh(mesh.getId());
        inputs.forEach(input -> run.addInputs(input.id()));
        outputs.forEach(output -> run.addOutputs(output.id()));
    }

    List<WorkerLink> links(List<WorkerLink> chosen) {
        links = chosen;
        return chosen;
    }

    void send(long op) {
        run.setOp(op);
        Optional<Compile> compile = Optional.empty();
        for (var link : links) {
            if (!link.knowsProgram(program.graphFingerprint())) {
                var message = compile.orElseGet(this::compile);
                compile = Optional.of(message);
                compiles.started(program.graphFingerprint());
                link.send(Command.newBuilder().setCompile(message));
                link.toldProgram(program.graphFingerprint());
            }
            if (link.newMesh(mesh.getId())) {
                link.send(Command.newBuilder().setMesh(mesh));
            }
            link.send(Command.newBuilder().setRun(run));
        }
    }

    private Compile compile() {
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
