package org.meshbook.cluster.nodes.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.meshbook.cluster.ResourceKey;

/// All that a container is started with, nothing left to look up.
///
/// @param pod the pod that it belongs to
/// @param uid that pod's uid
/// @param container its name
/// @param attempt how often it was started before
/// @param command program and arguments
/// @param environment its whole environment
/// @param folder where it starts
/// @param log where its output goes
public record Launch(
        ResourceKey pod,
        String uid,
        String container,
        int attempt,
        List<String> command,
        Map<String, String> environment,
        Path folder,
        Path log) {
    public Launch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// @param words another program and its arguments
    /// @return them, started as this
    Launch with(List<String> words) {
        return new Launch(pod, uid, container, attempt, words, environment, folder, log);
    }
}
