package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.nodes.pools.FlexStart;
import org.meshbook.cluster.nodes.pools.FlexStart.Offer;
import org.meshbook.cluster.nodes.pools.FlexStart.Terms;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.TpuSlice;

/// Capacity on request.
class FlexStartTest {
    private static final NodePool POOL =
            NodePool.of("dws-pool", TpuSlice.of("tpu-v6e-slice", "4x4"));

    private static Machine machine(Terms terms) {
        return Machine.with(
                parts ->
                        List.of(
                                new FlexStart(
                                        parts.cluster(),
                                        parts.clock(),
                                        name ->
                                                Optional.of(new Offer(POOL, terms))
                                                        .filter(
                                                                o ->
                                                                        o.pool()
                                                                                .name()
                                                                                .equals(name)))));
    }

    private static Terms terms(String... failures) {
        return new Terms(Duration.ofSeconds(60), Duration.ofDays(7), 1, List.of(failures));
    }

    private static void ask(Machine machine, String name, String pool) {
        machine.apply(
                        """
                        apiVersion: v1
                        kind: PodTemplate
                        metadata: {name: ppt-%s, namespace: default}
                        template:
                          spec:
                            nodeSelector: {cloud.google.com/gke-nodepool: %s}
                            containers: [{name: c, image: busybox, resources: {limits: {google.com/tpu: 4}}}]
                        """
                                .formatted(name, pool))
                .apply(
                        """
                        apiVersion: autoscaling.x-k8s.io/v1
                        kind: ProvisioningRequest
                        metadata: {name: %s, namespace: default}
                        spec:
                          provisioningClassName: queued-provisioning.gke.io
                          podSets: [{count: 4, podTemplateRef: {name: ppt-%s}}]
                        """
                                .formatted(name, name));
    }

    private static Resource request(Machine machine, String name) {
        return machine.rig().at(Kinds.PROVISIONING_REQUEST, name);
    }

    private static List<Resource> nodes(Machine machine) {
        return machine.rig().cluster().list(Kinds.NODE, "");
    }

    @Test
    void nodesComeAfterTheDelayAndTheWaitIsTold() {
        try (var machine = machine(terms())) {
            ask(machine, "pr", "dws-pool");
            assertThat(request(machine, "pr").is("Accepted")).isTrue();
            assertThat(machine.condition(request(machine, "pr"), "Provisioned"))
                    .isEqualTo("False Pending waiting for capacity, ETA 2026-12-01T00:01:00Z");
            machine.run(59);
            assertThat(nodes(machine)).isEmpty();

            machine.run(1);

            assertThat(request(machine, "pr").is("Provisioned")).isTrue();
            assertThat(nodes(machine)).hasSize(4);
            assertThat(nodes(machine).getFirst().list("spec", "taints"))
                    .anySatisfy(
                            t ->
                                    assertThat(t.path("key").asString(""))
                                            .isEqualTo("cloud.google.com/gke-queued"));
        }
    }

    @Test
    @DisplayName("A12 requests fail as the terms say")
    void requestsFailAsTheTermsSay() {
        try (var machine = machine(terms("no capacity in zone"))) {
            ask(machine, "one", "dws-pool");
            machine.run(61);
            assertThat(machine.condition(request(machine, "one"), "Failed"))
                    .isEqualTo("True OutOfCapacity no capacity in zone");
            ask(machine, "two", "dws-pool");
            machine.run(61);
            assertThat(request(machine, "two").is("Provisioned")).isTrue();
        }
    }

    @Test
    @DisplayName("A15 nodes live for seven days, and their pods with them")
    void leaseEndsAfterSevenDays() {
        try (var machine = machine(terms())) {
            ask(machine, "pr", "dws-pool");
            machine.run(Duration.ofDays(7));
            assertThat(nodes(machine)).hasSize(4);

            machine.run(61);

            assertThat(request(machine, "pr").is("CapacityRevoked")).isTrue();
            assertThat(nodes(machine)).isEmpty();
        }
    }

    @Test
    @DisplayName("A15 on a clock that goes a day a second, seven days are seven seconds")
    void leaseEndsOnTheProvidersClock() {
        var terms = new Terms(Duration.ofDays(1), Duration.ofDays(7), 86_400, List.of());
        try (var machine = machine(terms)) {
            ask(machine, "pr", "dws-pool");
            machine.run(1);
            assertThat(nodes(machine)).hasSize(4);
            machine.run(Duration.ofMillis(6_900));
            assertThat(nodes(machine)).hasSize(4);

            machine.run(1);

            assertThat(nodes(machine)).isEmpty();
            assertThat(machine.condition(request(machine, "pr"), "CapacityRevoked"))
                    .isEqualTo("True LeaseEnded nodes of flex-start live for 7d");
        }
    }

    @Test
    @DisplayName("autoscaler#9490 a request for a pool that is gone says so")
    void missingPoolIsNamed() {
        try (var machine = machine(terms())) {
            ask(machine, "pr", "old-pool");
            machine.run(70);

            assertThat(machine.condition(request(machine, "pr"), "Provisioned"))
                    .contains("the provider has no node pool \"old-pool\"");
        }
    }

    @Test
    void deletedRequestGivesItsNodesBack() {
        try (var machine = machine(terms())) {
            ask(machine, "pr", "dws-pool");
            machine.run(61);
            machine.rig().cluster().remove(request(machine, "pr").key());
            machine.run(1);

            assertThat(nodes(machine)).isEmpty();
        }
    }
}
