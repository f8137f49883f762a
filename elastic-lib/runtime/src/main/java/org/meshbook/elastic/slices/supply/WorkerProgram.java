package org.meshbook.elastic.slices.supply;

import java.util.List;
import java.util.Map;

/// What runs a worker that the head did not start: it finds the head by its runtime folder, whose
/// files hold the secret, and says who it is by the variables named here.
///
/// @param command program and arguments, the same for all workers
/// @param environment what it needs beside the variables below; nothing in it is secret
public record WorkerProgram(List<String> command, Map<String, String> environment) {
    /// Variable: whose slice it is.
    public static final String SESSION = "MESHBOOK_SESSION";

    /// Variable: the slice's index.
    public static final String SLICE = "MESHBOOK_SLICE";

    /// Variable: the host's index within the slice, as Jobs number their pods.
    public static final String HOST = "JOB_COMPLETION_INDEX";

    /// Variable: as people know the process.
    public static final String TITLE = "MESHBOOK_POD";

    public WorkerProgram {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
