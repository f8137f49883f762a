package org.meshbook.cluster.nodes.kubelet;

import java.io.IOException;
import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Exec;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.nodes.process.SideProcess;

/// Runs commands beside the containers of this machine. Threads: any.
public final class PodExec implements Exec {
    private final Cluster cluster;
    private final Kubelet kubelet;

    /// @param cluster where pods are
    /// @param kubelet what started their containers
    public PodExec(Cluster cluster, Kubelet kubelet) {
        this.cluster = cluster;
        this.kubelet = kubelet;
    }

    @Override
    public int exec(ResourceKey key, Command command, Streams streams) throws InterruptedException {
        // 1. beside which container
        var pod = cluster.find(key).orElseThrow(() -> ApiException.notFound(Kinds.POD, key.name()));
        var container = PodOutput.container(pod, command.container());
        var phase = pod.text("status", "phase");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            throw new ApiException(
                    400,
                    "BadRequest",
                    "cannot exec into a container in a completed pod; current phase is " + phase,
                    List.of());
        }
        var launch =
                kubelet.running(pod, container)
                        .orElseThrow(
                                () ->
                                        failed(
                                                "unable to upgrade connection: container not found (\"%s\")",
                                                container));
        streams.started();
        // 2. run it
        try (var process = SideProcess.start(launch, command.words())) {
            return process.await(streams.in(), streams::out, streams::err, command.within())
                    .orElseThrow(command::late);
        } catch (IOException unknown) {
            throw failed(
                    "Internal error occurred: error executing command in container: %s",
                    String.valueOf(unknown.getMessage()));
        }
    }

    private static ApiException failed(String text, Object... values) {
        return new ApiException(500, "InternalError", text.formatted(values), List.of());
    }
}
