package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.jobs.ray.RayClusterController;
import org.meshbook.cluster.jobs.ray.RayJobController;
import org.meshbook.cluster.nodes.pools.FlexStart;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.TpuSlice;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.node.ObjectNode;

/// RayJobs on a pool that is there and, when that is full, on nodes that come on request; and jobs
/// that grow while they run.
class DwsFallbackTest {
    private static final TpuSlice SLICE = TpuSlice.of("tpu-v6e-slice", "4x4");
    private static final String QUEUE =
            """
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: %1$s},
             spec: {nodeLabels: {cloud.google.com/gke-nodepool: %2$s}}}
            """;

    private final Machine machine =
            Machine.queued(
                            Rules.of(Profile.V0_17).withElasticSlices(true),
                            parts ->
                                    List.of(
                                            new RayJobController(parts.cluster(), parts.clock()),
                                            new RayClusterController(
                                                    parts.cluster(), parts.clock()),
                                            new FlexStart(
                                                    parts.cluster(),
                                                    parts.clock(),
                                                    DwsFallbackTest::offer)))
                    .cpus(2);

    private static Optional<FlexStart.Offer> offer(String pool) {
        return pool.equals("dws-pool")
                ? Optional.of(
                        new FlexStart.Offer(
                                NodePool.of(pool, SLICE),
                                new FlexStart.Terms(
                                        Duration.ofSeconds(60), Duration.ofDays(7), 1, List.of())))
                : Optional.empty();
    }

    DwsFallbackTest() {
        machine.pools().add(NodePool.of("on-demand-pool", SLICE));
        machine.apply(QUEUE.formatted("default-cpu", "default-pool"))
                .apply(QUEUE.formatted("on-demand", "on-demand-pool"))
                .apply(QUEUE.formatted("dws", "dws-pool"))
                .apply(
                        """
                        apiVersion: kueue.x-k8s.io/v1beta2
                        kind: ProvisioningRequestConfig
                        metadata: {name: dws-config}
                        spec:
                          provisioningClassName: queued-provisioning.gke.io
                          managedResources: [google.com/tpu]
                        """)
                .apply(
                        """
                        apiVersion: kueue.x-k8s.io/v1beta2
                        kind: AdmissionCheck
                        metadata: {name: dws-prov}
                        spec:
                          controllerName: kueue.x-k8s.io/provisioning-request
                          parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: dws-config}
                        """)
                .apply(
                        """
                        apiVersion: kueue.x-k8s.io/v1beta2
                        kind: ClusterQueue
                        metadata: {name: cluster-queue}
                        spec:
                          namespaceSelector: {}
                          resourceGroups:
                          - coveredResources: [cpu, memory, google.com/tpu]
                            flavors:
                            - name: default-cpu
                              resources: [{name: cpu, nominalQuota: 10}, {name: memory, nominalQuota: 20Gi}, {name: google.com/tpu, nominalQuota: 0}]
                            - name: on-demand
                              resources: [{name: cpu, nominalQuota: 40}, {name: memory, nominalQuota: 75Gi}, {name: google.com/tpu, nominalQuota: 16}]
                            - name: dws
                              resources: [{name: cpu, nominalQuota: 1000000000}, {name: memory, nominalQuota: 1000000000Gi}, {name: google.com/tpu, nominalQuota: 1000000000}]
                          admissionChecksStrategy:
                            admissionChecks: [{name: dws-prov, onFlavors: [dws]}]
                        """)
                .apply(
                        """
                        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: user-queue, namespace: default},
                         spec: {clusterQueue: cluster-queue}}
                        """);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    private void submit(int id) {
        machine.apply(
                """
                apiVersion: ray.io/v1
                kind: RayJob
                metadata:
                  name: rayjob-%d
                  namespace: default
                  labels: {kueue.x-k8s.io/queue-name: user-queue}
                  annotations: {kueue.x-k8s.io/elastic-job: "true"}
                spec:
                  shutdownAfterJobFinishes: true
                  entrypoint: python /app/train.py
                  rayClusterSpec:
                    enableInTreeAutoscaling: true
                    headGroupSpec:
                      rayStartParams: {}
                      template:
                        spec:
                          nodeSelector: {cloud.google.com/gke-nodepool: default-pool}
                          containers:
                          - {name: ray-head, image: 'rayproject/ray:2.53.0-py311', resources: {limits: {cpu: 2, memory: 4Gi}}}
                    workerGroupSpecs:
                    - groupName: tpu-group
                      replicas: 1
                      minReplicas: 1
                      maxReplicas: 2
                      numOfHosts: 4
                      rayStartParams: {}
                      template:
                        spec:
                          tolerations:
                          - {key: google.com/tpu, operator: Exists, effect: NoSchedule}
                          - {key: cloud.google.com/gke-queued, operator: Exists, effect: NoSchedule}
                          nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
                          containers:
                          - {name: ray-worker, image: 'rayproject/ray:2.53.0-py311', resources: {limits: {cpu: 8, memory: 16Gi, google.com/tpu: 4}}}
                """
                        .formatted(id));
    }

    // ---- what can be seen

    private Resource job(int id) {
        return machine.rig().at(Kinds.RAY_JOB, "rayjob-" + id);
    }

    /// Workloads of a job that are not finished, the oldest first.
    private List<Resource> workloads(int id) {
        return machine.rig().cluster().ownedBy(job(id), Kinds.WORKLOAD).stream()
                .filter(w -> !w.is("Finished"))
                .sorted((a, b) -> Long.compare(number(a), number(b)))
                .toList();
    }

    private static long number(Resource workload) {
        return workload.annotations().containsKey("kueue.x-k8s.io/workload-slice-replacement-for")
                ? 1
                : 0;
    }

    private Resource workload(int id) {
        return workloads(id).getLast();
    }

    private static String flavors(Resource workload) {
        var flavors = new TreeMap<String, String>();
        workload.list("status", "admission", "podSetAssignments")
                .forEach(
                        a ->
                                flavors.put(
                                        a.path("name").asString(""),
                                        a.path("flavors").path("cpu").asString("")));
        return flavors.toString();
    }

    private static String counts(Resource workload) {
        return workload.list("spec", "podSets").stream()
                .map(p -> p.path("count").asString(""))
                .toList()
                .toString();
    }

    private List<Resource> workers(int id) {
        return machine.pods("rayjob-" + id + "-").stream()
                .filter(p -> p.name().contains("-worker-"))
                .toList();
    }

    private static boolean gated(Resource pod) {
        return !pod.list("spec", "schedulingGates").isEmpty();
    }

    private long gated(int id) {
        return workers(id).stream().filter(DwsFallbackTest::gated).count();
    }

    private long running(int id) {
        return workers(id).stream()
                .filter(p -> p.text("status", "phase").equals("Running") && !p.deleting())
                .count();
    }

    private List<String> pools(int id) {
        return workers(id).stream()
                .map(p -> p.text("spec", "nodeName"))
                .filter(n -> !n.isEmpty())
                .map(n -> machine.rig().at(Kinds.NODE, "/" + n).labels().get(NodePool.POOL))
                .distinct()
                .toList();
    }

    private List<Resource> requests() {
        return machine.rig().cluster().list(Kinds.PROVISIONING_REQUEST, "default");
    }

    /// Scales as Ray's autoscaler does: in the RayCluster.
    private void scale(int id, int replicas) {
        var name = job(id).text("status", "rayClusterName");
        machine.edit(
                machine.rig().at(Kinds.RAY_CLUSTER, name),
                json -> {
                    var group = json.path("spec").path("workerGroupSpecs").path(0);
                    ((ObjectNode) group).put("replicas", replicas);
                });
        machine.run(3);
    }

    // ---- plays

    @Test
    @DisplayName("section 17, 002: job 1 on demand, job 2 on request, and it stays there")
    void firstRunsOnDemandAndTheNextOnRequest() {
        machine.script("rayjob-1-[a-z0-9]{5}", Duration.ofSeconds(300), 0);
        submit(1);
        machine.run(2);
        submit(2);
        machine.run(3);

        assertThat(workload(1).is("Admitted")).isTrue();
        assertThat(flavors(workload(1)))
                .isEqualTo("{head=default-cpu, submitter=default-cpu, tpu-group=on-demand}");
        assertThat(workload(1).list("status", "admissionChecks")).isEmpty();
        assertThat(pools(1)).containsExactly("on-demand-pool");
        assertThat(running(1)).isEqualTo(4);
        assertThat(workload(2).is("QuotaReserved")).isTrue();
        assertThat(workload(2).is("Admitted")).isFalse();
        assertThat(requests()).hasSize(1);
        assertThat(requests().getFirst().list("spec", "podSets")).hasSize(1);
        assertThat(requests().getFirst().list("spec", "podSets").getFirst().path("count").asInt())
                .isEqualTo(4);
        assertThat(
                        workload(2)
                                .list("status", "admissionChecks")
                                .getFirst()
                                .path("message")
                                .asString())
                .startsWith("waiting for capacity, ETA ");

        machine.run(60);

        assertThat(workload(2).is("Admitted")).isTrue();
        assertThat(flavors(workload(2)))
                .isEqualTo("{head=default-cpu, submitter=default-cpu, tpu-group=dws}");
        assertThat(pools(2)).containsExactly("dws-pool");
        assertThat(running(2)).isEqualTo(4);

        machine.run(300);

        assertThat(job(1).text("status", "jobStatus")).isEqualTo("SUCCEEDED");
        assertThat(pools(2)).as("no migration").containsExactly("dws-pool");
        assertThat(running(2)).isEqualTo(4);
    }

    @Test
    @DisplayName("A15, section 7: the lease ends, the nodes go, and the job is deactivated")
    void endOfTheLeaseEndsTheJob() {
        machine.script(".*", Duration.ofDays(30), 0);
        submit(1);
        machine.run(2);
        submit(2);
        machine.run(70);
        assertThat(running(2)).isEqualTo(4);

        machine.run(Duration.ofDays(7));

        assertThat(running(2)).isZero();
        assertThat(workload(2).at("spec", "active").asBoolean(true)).isFalse();
        assertThat(machine.condition(workload(2), "Evicted"))
                .startsWith("True DeactivatedDueToAdmissionCheck ");
        assertThat(machine.rig().cluster().list(Kinds.NODE, "")).hasSize(6);
    }

    @Test
    @DisplayName("ON4: what Kueue notes on RayJobs and their pods")
    void rayJobsCarryTheMarksOfKueue() {
        submit(1);
        machine.run(3);

        assertThat(job(1).annotations())
                .containsEntry("kueue.x-k8s.io/raycluster-generation", "1")
                .containsEntry(
                        "kueue.x-k8s.io/raycluster-podset-replica-sizes",
                        "[{\"name\":\"head\",\"count\":1},{\"name\":\"tpu-group\",\"count\":4}]");
        var worker = workers(1).getFirst();
        assertThat(worker.labels())
                .containsEntry("kueue.x-k8s.io/podset", "tpu-group")
                .containsEntry("kueue.x-k8s.io/cluster-queue-name", "cluster-queue")
                .containsEntry("kueue.x-k8s.io/local-queue-name", "user-queue");
        assertThat(worker.annotations())
                .containsEntry("kueue.x-k8s.io/workload", workload(1).name())
                .containsEntry("kueue.x-k8s.io/workload-slice-name", workload(1).name());
    }

    @Test
    @DisplayName("ON9: a RayJob grows only on the flavor that it has")
    void growthOnDemandIsRefusedForGood() {
        submit(1);
        machine.run(3);
        var first = workload(1);

        scale(1, 2);

        var second = workload(1);
        assertThat(workloads(1)).hasSize(2);
        assertThat(second.name()).isNotEqualTo(first.name()).startsWith("rayjob-rayjob-1-");
        assertThat(second.annotations())
                .containsEntry(
                        "kueue.x-k8s.io/workload-slice-replacement-for", "default/" + first.name())
                .containsEntry("kueue.x-k8s.io/workload-slice-name", first.name());
        assertThat(counts(second)).isEqualTo("[1, 8, 1]");
        assertThat(gated(1)).isEqualTo(4);
        assertThat(running(1)).as("what ran runs on").isEqualTo(4);
        assertThat(machine.events(second.name()))
                .anySatisfy(
                        event ->
                                assertThat(event)
                                        .startsWith(
                                                "Pending: couldn't assign flavors to pod set"
                                                        + " tpu-group: flavor default-cpu doesn't match"
                                                        + " node affinity, flavor dws doesn't match"
                                                        + " node affinity, insufficient unused quota"
                                                        + " for cpu in flavor on-demand, 24 more"
                                                        + " needed, insufficient unused quota for"
                                                        + " google.com/tpu in flavor on-demand, 16 more"
                                                        + " needed"));
        assertThat(machine.condition(second, "QuotaReserved"))
                .isEqualTo(
                        "False Pending couldn't assign flavors to pod set head: flavor dws doesn't"
                                + " match node affinity, flavor on-demand doesn't match node"
                                + " affinity");
    }

    @Test
    @DisplayName("ON9: a RayJob that becomes smaller again keeps what it had")
    void growthThatIsTakenBackLeavesNothingBehind() {
        submit(1);
        machine.run(3);
        scale(1, 2);
        scale(1, 1);
        machine.run(3);

        assertThat(workloads(1)).hasSize(1);
        assertThat(counts(workload(1))).isEqualTo("[1, 4, 1]");
        assertThat(workload(1).is("Admitted")).isTrue();
        assertThat(running(1)).isEqualTo(4);
        assertThat(gated(1)).isZero();
    }

    @Test
    @DisplayName("section 17, 002: job 2 grows on request, by a request for all eight hosts")
    void growthOnRequestAsksForAllHosts() {
        submit(1);
        machine.run(2);
        submit(2);
        machine.run(70);
        var first = workload(2);

        scale(2, 2);

        assertThat(gated(2)).isEqualTo(4);
        assertThat(running(2)).as("what ran runs on").isEqualTo(4);
        assertThat(requests())
                .anySatisfy(
                        r ->
                                assertThat(
                                                r.list("spec", "podSets")
                                                        .getFirst()
                                                        .path("count")
                                                        .asInt())
                                        .isEqualTo(8));

        machine.run(70);

        assertThat(running(2)).isEqualTo(8);
        assertThat(gated(2)).isZero();
        assertThat(machine.condition(machine.rig().at(Kinds.WORKLOAD, first.name()), "Finished"))
                .startsWith("True WorkloadSliceReplaced ");
    }

    @Test
    @DisplayName("kueue#9986, kueue#9879: hosts that start again are let go, too")
    void replacedHostsAreNotHeld() {
        submit(1);
        machine.run(2);
        submit(2);
        machine.run(70);
        scale(2, 2);
        machine.run(70);

        machine.rig().cluster().remove(workers(2).getFirst().key());
        machine.run(10);

        assertThat(running(2)).isEqualTo(8);
        assertThat(gated(2)).isZero();
    }

    @Test
    @DisplayName("k8s-config-connector#228: a job that waits for nodes can be deleted")
    void jobThatWaitsForNodesCanBeDeleted() {
        submit(1);
        machine.run(2);
        submit(2);
        machine.run(10);
        assertThat(requests()).hasSize(1);

        machine.rig().cluster().remove(job(2).key());
        machine.run(120);

        assertThat(requests()).isEmpty();
        assertThat(machine.rig().cluster().list(Kinds.WORKLOAD, "default")).hasSize(1);
        assertThat(machine.rig().cluster().list(Kinds.NODE, "")).hasSize(6);
    }
}
