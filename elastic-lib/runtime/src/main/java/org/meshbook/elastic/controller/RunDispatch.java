package org.meshbook.elastic.controller;

import java.util.List;
import org.meshbook.elastic.jit.Program;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.DefineMesh;
import org.meshbook.elastic.wire.proto.Run;

/// The commands of one run: the program and the mesh where they are new, then the run itself.
final class RunDispatch {
    private final Program program;
    private final Run.Builder run;
    private final DefineMesh mesh;
    private final Repertoire repertoire;
    private List<WorkerLink> links = List.of();

    RunDispatch(
            Program program,
            List<ArrayState> inputs,
            List<ArrayState> outputs,
            DefineMesh mesh,
            Repertoire repertoire) {
        this.program = program;
        this.mesh = mesh;
        this.repertoire = repertoire;
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
        repertoire.tell(program, links);
        for (var link : links) {
            if (link.newMesh(mesh.getId())) {
                link.send(Command.newBuilder().setMesh(mesh));
            }
            link.send(Command.newBuilder().setRun(run));
        }
    }
}
