package org.meshbook.cluster.kueue;

import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Pods that belong to no job and name a queue themselves (OV5).
///
/// A pod cannot be suspended: it is held by a scheduling gate, and one that has to give its quota
/// back is deleted. A finalizer keeps it until its workload knows how it ended.
final class PlainPods implements JobKind {
    private static final String MAIN = "main";
    private static final String GATE = "kueue.x-k8s.io/admission";
    private static final String ROLE = "kueue.x-k8s.io/role-hash";
    private static final List<String> LATER = List.of("nodeName", "schedulingGates");

    @Override
    public ResourceKind kind() {
        return Kinds.POD;
    }

    @Override
    public String framework() {
        return "pod";
    }

    @Override
    public boolean held(Resource pod) {
        return pod.labels().getOrDefault(Marks.MANAGED, "").equals("true");
    }

    @Override
    public void hold(ObjectNode pod) {
        suspend(pod, true);
        var metadata = pod.withObjectProperty("metadata");
        metadata.withObjectProperty("labels").put(Marks.MANAGED, "true");
        metadata.withObjectProperty("annotations").put(ROLE, role(pod));
        metadata.withArrayProperty("finalizers").add(Marks.MANAGED);
    }

    private static String role(ObjectNode pod) {
        return Workloads.hash(pod.path("spec").path("containers").toString(), 8);
    }

    @Override
    public boolean suspended(Resource pod) {
        return pod.list("spec", "schedulingGates").stream()
                .anyMatch(gate -> Specs.text(gate, "name").equals(GATE));
    }

    @Override
    public void suspend(ObjectNode pod, boolean on) {
        var spec = pod.withObjectProperty("spec");
        if (on) {
            spec.withArrayProperty("schedulingGates").addObject().put("name", GATE);
        } else if (spec.path("schedulingGates") instanceof ArrayNode gates) {
            gates.removeIf(gate -> Specs.text(gate, "name").equals(GATE));
        }
    }

    @Override
    public boolean stopsByDeletion() {
        return true;
    }

    @Override
    public List<Pods> pods(Resource pod) {
        var template = JsonNodeFactory.instance.objectNode();
        var spec = (ObjectNode) pod.at("spec").deepCopy();
        spec.remove(LATER);
        template.set("spec", spec);
        return List.of(new Pods(MAIN, 1, 1, template));
    }

    @Override
    public Optional<ObjectNode> template(ObjectNode pod, String podSet) {
        return Optional.of(pod);
    }

    @Override
    public Optional<End> end(Resource pod) {
        var phase = pod.text("status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed")
                ? Optional.of(new End(phase.equals("Succeeded"), pod.text("status", "message")))
                : Optional.empty();
    }

    @Override
    public boolean active(Cluster cluster, Resource pod) {
        return cluster.find(pod.key()).filter(p -> end(p).isEmpty() && !suspended(p)).isPresent();
    }

    @Override
    public boolean ready(Cluster cluster, Resource pod) {
        return pod.is("Ready");
    }
}
