package org.meshbook.cluster.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.manifest.Manifest;

/// What `get` and `describe` print, letter by letter.
class TablesTest {
    private static final Instant NOW = Instant.parse("2026-12-01T01:00:00Z");

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "PT3S, 3s",
        "PT119S, 119s",
        "PT2M31S, 2m31s",
        "PT5M, 5m",
        "PT12M30S, 12m",
        "PT3H2M, 3h2m",
        "PT20H, 20h",
        "P2D, 2d",
        "P3DT5H, 3d5h",
        "P400D, 400d",
        "PT-5S, <invalid>"
    })
    void agesAreAsShortAsKubectlsAre(Duration time, String text) {
        assertThat(Age.of(time)).isEqualTo(text);
    }

    @Test
    void workloads() {
        var admitted =
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: Workload
                metadata: {name: jobset-multislice-1slice-9e6f2, namespace: default, creationTimestamp: "2026-12-01T00:57:29Z"}
                spec: {queueName: multislice-queue}
                status:
                  admission: {clusterQueue: cluster-queue}
                  conditions: [{type: QuotaReserved, status: "True"}, {type: Admitted, status: "True"}]
                """;
        var waiting =
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: Workload
                metadata: {name: jobset-multislice-3slice-01ab3, namespace: default, creationTimestamp: "2026-12-01T00:59:57Z"}
                spec: {queueName: multislice-queue}
                """;
        assertThat(table(Kinds.WORKLOAD, false, admitted, waiting))
                .isEqualTo(
                        """
                        NAME                             QUEUE              RESERVED IN     ADMITTED   FINISHED   AGE
                        jobset-multislice-1slice-9e6f2   multislice-queue   cluster-queue   True                  2m31s
                        jobset-multislice-3slice-01ab3   multislice-queue                                         3s
                        """);
    }

    @Test
    void queuesShowMoreWhenMoreIsAskedFor() {
        var queue =
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ClusterQueue
                metadata: {name: cluster-queue}
                spec: {cohortName: team, queueingStrategy: StrictFIFO}
                status: {pendingWorkloads: 2, admittedWorkloads: 1}
                """;
        assertThat(table(Kinds.CLUSTER_QUEUE, false, queue))
                .isEqualTo(
                        """
                        NAME            COHORT   PENDING WORKLOADS
                        cluster-queue   team     2
                        """);
        assertThat(table(Kinds.CLUSTER_QUEUE, true, queue))
                .isEqualTo(
                        """
                        NAME            COHORT   STRATEGY     PENDING WORKLOADS   ADMITTED WORKLOADS
                        cluster-queue   team     StrictFIFO   2                   1
                        """);
    }

    @Test
    void kindsWithoutColumnsShowTheirAge() {
        var flavor =
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ResourceFlavor
                metadata: {name: dws, creationTimestamp: "2026-11-29T01:00:00Z"}
                """;
        assertThat(table(Kinds.RESOURCE_FLAVOR, false, flavor))
                .isEqualTo("NAME   AGE\ndws    2d\n");
    }

    @Test
    void jobsAndPods() {
        var job =
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train, namespace: default, creationTimestamp: "2026-12-01T00:50:00Z"}
                spec: {completions: 4, parallelism: 4, template: {spec: {containers: [{name: c, image: i}]}}}
                status: {startTime: "2026-12-01T00:55:00Z", succeeded: 1, active: 3}
                """;
        assertThat(table(Kinds.JOB, false, job))
                .isEqualTo(
                        """
                        NAME    STATUS    COMPLETIONS   DURATION   AGE
                        train   Running   1/4           5m         10m
                        """);
        var pod =
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: train-0, namespace: default, creationTimestamp: "2026-12-01T00:50:00Z"}
                spec: {nodeName: node-1, containers: [{name: c, image: i}]}
                status:
                  phase: Running
                  podIP: 127.0.1.5
                  containerStatuses:
                  - {name: c, ready: true, restartCount: 2, state: {running: {}}, lastState: {terminated: {finishedAt: "2026-12-01T00:59:00Z"}}}
                """;
        assertThat(table(Kinds.POD, true, pod))
                .isEqualTo(
                        """
                        NAME      READY   STATUS    RESTARTS      AGE   IP          NODE     NOMINATED NODE   READINESS GATES
                        train-0   1/1     Running   2 (60s ago)   10m   127.0.1.5   node-1   <none>           <none>
                        """);
    }

    @Test
    void priorityClasses() {
        var found =
                """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: medium, creationTimestamp: "2026-12-01T00:50:00Z"}
                value: 500
                globalDefault: true
                preemptionPolicy: PreemptLowerPriority
                """;
        assertThat(table(Kinds.PRIORITY_CLASS, false, found))
                .isEqualTo(
                        """
                        NAME     VALUE   GLOBAL-DEFAULT   AGE   PREEMPTIONPOLICY
                        medium   500     true             10m   PreemptLowerPriority
                        """);
    }

    @Test
    void descriptionNamesFieldsForPeople() {
        var queue =
                parse(
                        """
                        apiVersion: kueue.x-k8s.io/v1beta2
                        kind: LocalQueue
                        metadata: {name: user-queue, namespace: default, uid: u-1, labels: {team: a}}
                        spec: {clusterQueue: c, stopPolicy: None}
                        """);
        var event =
                parse(
                        """
                        apiVersion: v1
                        kind: Event
                        metadata: {name: e}
                        type: Warning
                        reason: Pending
                        message: no quota
                        count: 25
                        firstTimestamp: "2026-12-01T00:58:00Z"
                        lastTimestamp: "2026-12-01T00:59:00Z"
                        source: {component: kueue-admission}
                        """);
        assertThat(Description.of(queue, List.of(event), NOW))
                .isEqualTo(
                        """
                        Name:         user-queue
                        Namespace:    default
                        Labels:       team=a
                        Annotations:  <none>
                        API Version:  kueue.x-k8s.io/v1beta2
                        Kind:         LocalQueue
                        Metadata:
                          UID:  u-1
                        Spec:
                          Cluster Queue:  c
                          Stop Policy:    None
                        Events:
                          Type     Reason   Age                From             Message
                          ----     ------   ----               ----             -------
                          Warning  Pending  60s (x25 over 2m)  kueue-admission  no quota
                        """);
    }

    @Test
    void objectsAreWrittenWholeAsYamlAndJson() {
        var map =
                parse(
                        """
                        kind: ConfigMap
                        apiVersion: v1
                        metadata: {name: m}
                        data: {a: "1"}
                        """);
        assertThat(Output.yaml(List.of(map), false))
                .isEqualTo(
                        "apiVersion: v1\n"
                                + "data:\n"
                                + "  a: \"1\"\n"
                                + "kind: ConfigMap\n"
                                + "metadata:\n"
                                + "  name: m\n");
        assertThat(Output.json(List.of(map), false))
                .isEqualTo(
                        """
                        {
                            "apiVersion": "v1",
                            "data": {
                                "a": "1"
                            },
                            "kind": "ConfigMap",
                            "metadata": {
                                "name": "m"
                            }
                        }
                        """);
    }

    private static String table(ResourceKind kind, boolean wide, String... objects) {
        var parsed = List.of(objects).stream().map(TablesTest::parse).toList();
        return Tables.of(kind, parsed, new Tables.Look(Profile.V0_17, wide, false, NOW)).text();
    }

    private static Resource parse(String yaml) {
        return Manifest.read("test", yaml).complete().getFirst().resource();
    }
}
