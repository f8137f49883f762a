package org.meshbook.elastic.worker;

import java.nio.file.Path;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.supply.WorkerProgram;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.proto.WorkerAsk;

/// Who a worker is that the head did not start: its environment says it, and the head's files,
/// which only their user may read, hold what the head wants to be shown.
///
/// @param head the head that lives
/// @param question what to ask it
record Pod(HeadFile head, WorkerAsk question) {
    static Pod ofEnvironment() {
        // A pod's own folder, which is deleted with it.
        var temporary = System.getenv("TMPDIR");
        if (temporary != null) {
            System.setProperty("java.io.tmpdir", temporary);
        }
        var folder = RuntimeFolder.at(Path.of(variable("MESHBOOK_RUNTIME_DIR")));
        var head =
                HeadFile.find(folder)
                        .orElseThrow(() -> new UsageError("no head runs in '%s'", folder.path()));
        var question =
                WorkerAsk.newBuilder()
                        .setToken(head.token())
                        .setSession(variable(WorkerProgram.SESSION))
                        .setSlice(Integer.parseInt(variable(WorkerProgram.SLICE)))
                        .setHost(Integer.parseInt(variable(WorkerProgram.HOST)))
                        .setPid(ProcessHandle.current().pid())
                        .setTitle(variable(WorkerProgram.TITLE));
        return new Pod(head, question.build());
    }

    private static String variable(String name) {
        var value = System.getenv(name);
        UsageError.require(
                value != null && !value.isEmpty(),
                "a worker that nobody gave its assignment needs the variable %s",
                name);
        return String.valueOf(value);
    }
}
